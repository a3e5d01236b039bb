// Every word of the workspace, in English. The page's catalogue gives them in its language, by the English, when the component is mounted.

const W = {
  // before there is a letter
  title_note: "Paste the admission note", title_question: "Ask a clinical question", note_label: "Admission note", question: "Question", draft: "Draft", draft_again: "Draft again", without_model: "Draft without the language model", model_starting: "the language model is starting; a letter drafted now is written without it",
  note_placeholder: "Allergies, chief complaint, history of present illness …  or drop a file here",
  stays: "Stays on this computer", goes_to: "Text goes to {where}", attach: "Attach a file", clear: "Clear", new_letter: "New letter",
  document: "Document", length: "Length", more: "More about this patient", more_given: "{n} given",
  documents: { discharge_instructions: "Discharge instructions", progress_note: "Progress note", clinical_answer: "Clinical answer" },
  lengths: { short: "Short", full: "Full" }, locales: { us: "US units and numbers", uk: "UK units and numbers" }, units: "Units and phone numbers",
  course: "Hospital course", course_hint: "What was found and done during the stay", discharge_medicines: "Discharge medicines", medicines_hint: "One a line: furosemide 40 mg twice daily",
  earlier: "Earlier notes", earlier_hint: "# Discharge summary, 2024-05-02\nText of the note\n---\nThe next note", options: "Options", options_hint: "One a line; leave empty for a free answer",
  aside_names: { course: "hospital course", medicines: "discharge medicines", earlier: "earlier notes", question: "question", options: "options", details: "patient details", carry: "changes of the letter" },
  set_aside: "This reads like another patient. Set aside: {names}.", same_patient: "Same patient, bring them back", dismiss: "Dismiss",
  samples: "Or try a sample:", three_lines: ["A draft from the note in seconds, every sentence with its source.", "You check, correct, complete and sign it; nothing is released before that.", "It does not know the hospital stay and makes no diagnosis; what only you know is left for you to fill in."],
  paste_first: "Paste a note first: allergies, chief complaint and history of present illness.", ask_something: "Type a question first.",
  read_text: ["{n} character, added to the note", "{n} characters, added to the note"], read_notes: ["{n} note, read as {kind}", "{n} notes, read as {kind}"], file_kinds: { "c-cda": "C-CDA", fhir: "FHIR", laboratory: "Laboratory results", noteevents: "MIMIC NOTEEVENTS", notes: "JSON lines", pdf: "PDF", docx: "Word", text: "plain text" }, taken_of: "What was taken", not_taken: "Not taken:", born: "born {day}", other_patients: ["{n} other patient in the file was not taken", "{n} other patients in the file were not taken"], not_read: "This file could not be read.",
  problems: {
    stopped: { title: "Stopped", way: "Your note is kept. Draft again when you are ready." }, refused: { title: "This could not be drafted", way: "Your note is kept. Change what is named above and draft again." },
    away: { title: "The service does not answer", way: "Your note is kept. Leapnote keeps trying to reconnect; draft again in a moment." },
    nothing: { title: "Nothing was recognised", way: "Check the spelling, or add findings in plain words." },
    no_patient: { title: "This does not read like a patient's note", way: "Paste a note with allergies, chief complaint and history." } },
  written_so_far: "Written so far, not checked",
  former_kept: "The previous letter is kept in My letters.", former_carried: "Name, decisions and changes come along as far as they still fit. The previous letter is kept in My letters.",
  carried: { kept: "Kept from the letter before: {list}.", lost: "Not kept, since the letter no longer fits it: {list}.", answers: "reasons given for alerts", medicines: ["{n} medicine", "{n} medicines"], problems: ["{n} decision on a problem", "{n} decisions on problems"], corrections: ["{n} correction of the note", "{n} corrections of the note"], sentences: ["{n} change of the text", "{n} changes of the text"], checks: ["{n} check", "{n} checks"] },
  drop_later: "A letter is being written. Drop the file again when it is there.", whose_title: "Is this the same patient?", whose_words: "There is a patient here already. Say whose this file is before it is taken.", whose_other: "The file reads like another patient: {what} differ. Say whose it is before it is taken.", whose_differs: { age: "the ages", sex: "the sexes", patient_name: "the names", date_of_birth: "the dates of birth", record_number: "the record numbers" }, whose_here: "Here now", whose_file: "In the file {name}", whose_same: "Same patient: add it to the note", whose_new: "Another patient: new letter", note_cleared: "The note was cleared.", missing_title: "This letter is not here", missing: "It was deleted, or its retention time on this computer has passed.",
  opening: "Opening the letter …", letter_gone: "This letter was deleted by someone else. What you see is no longer saved.",
  // the frame
  columns: "Note, letter and evidence", column_names: { note: "Note", letter: "Letter", evidence: "Evidence" }, letter: "Letter", letter_tools: "Letter", close: "Close", cancel: "Cancel", save: "Save", stop: "Stop",
  writing: "Writing", updating: "Updating", letter_ready: "Letter with {n} sentences",
  stages: { link: "Read the note", conditions: "Weighed possible diagnoses", paths: "Followed the findings", passages: "Searched the sources", write: "Wrote the letter", verify: "Checked each sentence", safety: "Checked allergies and medicines" },
  person_unknown: "Age and sex not stated", pregnant: "pregnant", add_details: "Add name and record number", record_short: "MRN",
  allergies: "ALLERGIES", reading_allergies: "Reading allergies …", intolerance: "intolerance", not_checked: "not checked", allergy_possible: "possible: {names}. Ask the patient", allergy_earlier: "in earlier notes: {names}. Ask the patient", allergy_contradicted: "listed as none, which is contradicted:",
  allergy_words: { none_known: "none known, as the note says", not_stated: "not stated. Ask the patient", unreadable: "entry unreadable. See the note", listed: "" },
  n_severe: "{n} severe", n_to_look: "{n} to review", alerts_answered: "Alerts answered",
  undo: "Undo", undone: "Undone", nothing_to_undo: "Nothing to undo", versions: "Versions", keys: "Keyboard", take_away: "Export", sign_dots: "Sign…", sign: "Sign", signed: "Signed",
  also_here: "Also in this letter: {names}", is_here: "{name} is here", saving: "Saving …", saved_at: "Saved {time}", kept_until: "kept until {day}", on_this_computer: "on this computer", away: "Not connected. Trying again", kept_waiting: "Not connected. {n} changes are kept and sent later",
  progress: "Progress", checked_of: "Checked {n} of {all}", n_gaps: ["{n} gap", "{n} gaps"], n_required: "{n} required", n_undecided: ["{n} medicine to decide", "{n} medicines to decide"], allergy_holds: "It is an allergy: {names}", no_allergy_holds: "No allergy: {names}", n_to_confirm: ["{n} unconfirmed diagnosis", "{n} unconfirmed diagnoses"], no_gaps: "No gaps", n_alerts: ["{n} alert", "{n} alerts"], no_alerts: "No open alerts", no_alerts_yet: "Checking …", signed_by: "Signed by {name}, {day} {time}",
  // the letter
  sentences: "Sentences of the letter", draft_line: "Draft. Not yet checked or signed by a clinician.", change_document: "Document, length and other details", copy_text: "Copy text", copied: "Copied as plain text", not_copied: "The browser did not allow copying",
  answer_is: "Answer: {letter}", stood_in: "The language model did not write this letter: {reason}.", partial: "Not all of the letter was written. {reason}", check_section: ["Check", "Check all {n}"], section_checked: "Checked", signed_notice: "Signed. A change asks first and makes a new version.",
  check_one: "Mark as checked", uncheck_one: "Mark as not checked", edit: "Edit", add_after: "Add after", delete: "Delete", edit_sentence: "Edit the sentence", new_sentence: "New sentence", untold: "In the note, not in the letter", add_untold: "Add", sentence_tools: "This sentence",
  deleted: "Sentence deleted", required_stays: "This must be filled in: {prompt}", conflict: "{name} has changed this sentence in the meantime.", conflict_of: "{name} has changed this in the meantime: {what}.", somebody_else: "Somebody else", row_removed: "Removed", yours: "Yours:", theirs: "Theirs:", keep_mine: "Keep mine", take_theirs: "Take theirs", source_n: "Source {n}",
  marks: { partial: "partly found in source", unsupported: "not found in source", own: "not in the note", fit: "may not fit this patient", possible: "unconfirmed", possible_why: "It rests on a diagnosis that nobody has confirmed.", changed: "changed", unsure: "uncertain", unsure_why: "Other attempts of the language model said something else.", outdated: "may be out of date" },
  add_gap: "Add: {prompt}", add_required: "Required: {prompt}", not_needed: "Not needed …", why_not_needed: "Why not needed: {prompt}", gap_gone: "This field is no longer in the letter. What you typed: {text}", gap_left_out: "Left out, with your reason", reason_needed: "Say in a few words why it is not needed.", kept_for_next: "Not in the signed letter. Reopen it to add this.",
  gap_needs: { words: "This needs an answer in words.", date: "This needs a date or a time, such as 12 May or in 2 weeks.", appointment: "This needs when or with whom, such as cardiology clinic in 2 weeks.", dose: "This needs a dose with its unit, such as 5 mg twice a day.", phone: "This needs a phone number.", person: "This needs a name or a role, such as Dr Lee or the district nurse." },
  problems_strip: "Problems", no_problems: "No diagnosis was recognised; the letter keeps to the symptoms.", main: "main", n_more: "{n} more", n_unconfirmed: "{n} to consider", confirm: "Confirm", make_main: "Main problem", make_past: "Past", rule_out: "Rule out", take_back: "Undo", for_and_against: "For and against",
  problem_states: { confirmed: "confirmed", in_note: "in the note", possible: "Unconfirmed diagnosis", ruled_out: "ruled out", past: "past" },
  medicines: "Medicines", what_to_do: "What to do", medicine: "Medicine", dose: "Dose", when: "When", what_for: "What for", row_tools: "Alerts and removing", add_medicine: "Add a medicine", new_medicine: "new medicine", remove_medicine: "Remove {name}", remove_row: "Remove", keep_all: "Keep taking all {n} that the note lists", offers: { start: "Start with a dose", not_start: "Do not start", at_home: "Go on at home", set_dose: "Set the dose" }, dose_asked: "Enter the dose in its cell above.", paused_asked: "On hold by the note: to be taken again?", decide_in_table: "Decide each in the table", removed_medicine: "{name} removed",
  actions: { continue: "Keep taking", take: "Take", as_needed: "As needed", changed: "Changed", new: "New", stopped: "Stop", on_hold: "On hold", undecided: "To decide", hospital_only: "Hospital only" },
  was_dose: "Before: {dose}", likely_row: "Likely, by the note as a whole: check it", alerts_of: ["{name}: {n} alert", "{name}: {n} alerts"], unknown_medicine: "Not recognised, so not checked",
  other_alerts: "Other", severities: { severe: "Severe.", warning: "Review.", info: "For information." }, change_letter: "Change the letter", answer_with: "Or give a reason", choose_answer: "Choose a reason …", choose_answer_first: "Choose a reason.", in_words: "In a few words", words_needed: "This reason needs a few words.", name_needed: "Give your name.", give_answer: "Record reason",
  n_for_information: ["{n} for information", "{n} for information"], no_conflict: "No conflict found among {n} checked.",
  // the evidence
  evidence_tabs: { sources: "Sources", problems: "Problems", safety: "Safety" }, choose_sentence: "Select a sentence to see its sources. All sources of the letter, in order:", written_by_person: "Written by a person; no source is cited.", cites_nothing: "This sentence cites no source.", n_all_sources: ["{n} source in all", "{n} sources in all"],
  written_by: "Written by {name} {time}", you: "a person", n_earlier: ["{n} earlier wording", "{n} earlier wordings"], use_this: "Use this", source_proposed: "The source was added by the program: check that it supports the sentence.", reworded: "Reworded by the program; it was:", raised: "Raised for this patient because of {because}. Its source says “{said}”.", this_note: "This note", earlier_note: "Earlier note", show_in_note: "Show in the note", open_document: "Open in its document", cited_passage: "Cited passage", only_passage: "No more of this document is held here than the passage that the letter cites.", document_changed: "This document has changed since the letter was written. The passage as the letter cites it stands first.", look_up: "Look up",
  source_names: { book: "Handbook", guideline: "Guideline", research: "Research", wiki: "Encyclopaedia", graph: "Medical knowledge" },
  cant_miss: "Can't miss", speaks_for: "For", speaks_against: "Against", nothing_for: "Nothing in the note points to it directly.", n_compared: ["{n} comparison made", "{n} comparisons made"], n_not_checked: "{n} could not be checked", found_none: "no conflict found among {n} checked", found_pairs: "{n} found among {all} pairs", found_against: "conflict: {names}", not_recognised: "Not recognised, so not checked", could_not_check: "Could not be checked", lacks: "{what} is not in the note",
  how_found: "How it was found", how_parts: { paths: "Paths", steps: "Steps", plan: "Searches", graph: "Facts" }, thoughts: "What the findings suggested", taken_out: "Removed by Leapnote", n_searches: ["{n} search", "{n} searches"], searched_in: "In", searched_for: "Searched for", because: "Because", none_found: "None were found.", back_to_evidence: "Back to the evidence", looking_up: "Looking it up …", no_definition: "No definition is stored.", also_called: "Also called",
  relations: { isa: "is a kind of", inverse_isa: "includes", finding_of: "is a sign of", has_finding: "has the sign" }, no_paths: "No path was followed for this letter.", paths_explained: "From a word of the note to what it points to. A dashed line has no known link behind it: it only guided the search.", picture: "Picture of the paths", picture_said: "Paths from the words of the note, left, to what they point to, right. The table below says the same.", leap: "leap", enlarge: "Enlarge", from_note: "In the note", path_says: "What it points to", after_leap: "Search hint only:",
  no_steps: "No steps were taken for this letter.", steps_explained: "At each step one kind of concept was chosen for the whole note, and each path moved into it. The figures say what was preferred, not what is true.", stop_here: "Stop", step_n: "Step {n} of {all}", out_of_reach: "Out of reach:", where_paths_went: "Where the paths went", passed_over: "Passed over",
  // the note
  note_text: "Text of the note", no_note: "There is no note: a question was asked.", mark_words: "Mark words", edit_note: "Edit", words_in_note: "Words as they stand in the note", mark: "Mark", not_in_note: "These words are not in the note.", corrected: "corrected:", correct: "Correct what was read",
  said_of: { present: "present", negated: "absent", absent: "absent", historical: "past", past: "past", family: "in the family", hypothetical: "only possible", uncertain: "uncertain", allergy: "allergy", no_allergy: "no allergy", other_sense: "another meaning", not_this_patient: "not this patient", medication: "medicine" },
  correct_kinds: { present: "Present", absent: "Absent", past: "Past", family: "Family history", uncertain: "Uncertain", not_this_patient: "Not this patient", other_sense: "Another meaning", medication: "Medicine", allergy: "Allergy", no_allergy: "Not an allergy" },
  corrected_as: "“{words}”: {kind}", search_meaning: "Search the meaning", no_meaning: "No meaning found.", status: "Status", take_as_medicine: "Take as a medicine", reaction: "Reaction", take_as_allergy: "Take as an allergy",
  medication_states: { active: "Taking", completed: "Course finished", intended: "To be started", stopped: "Stopped", "on-hold": "On hold", "not-taken": "Not taking" },
  // signing, versions, details, outputs
  sign_title: "Sign the letter", sign_letter: "Sign", your_name: "Your name", your_role: "Your role", role_hint: "e.g. attending physician", name_and_role: "Give your name and your role.", n_blocks: ["{n} item to resolve before signing", "{n} items to resolve before signing"], nothing_against: "Ready to sign.", sign_for: "This letter is for", sign_patient: "Patient's name", sign_unnamed: "Sign without a patient's name, for example a demonstration.", sign_whose: "Give the patient's name, or choose to sign without one.", have_read: "I have read the whole letter.", left_unchecked: "{n} of {all} sentences are not marked yet; this marks them as checked.", signed_now: "Signed",
  block_kinds: { severe: "Severe alert:", gap: "To fill in:", unconfirmed: "Unconfirmed diagnosis:", medicine: "Medicine to decide:", unchecked_required: "To check:" }, reopen: "Reopen to change", reopen_title: "This letter is signed", reopen_words: "A change makes a new version without a signature. The signed version stays as it is.", keep_signed: "Keep it signed",
  version_n: "Version {n}", go_back: "Go back to it", newest: "now", compare_sides: { from: "Compare from", to: "Compare to" }, no_difference: "No difference.", did: { check: "checked", uncheck: "unchecked", replace: "reworded a sentence", insert_after: "added a sentence", delete: "deleted a sentence", restore: "went back", confirm_condition: "confirmed a problem", rule_out_condition: "ruled out a problem", past_condition: "made a problem past", lead_condition: "chose the main problem", clear_condition: "took back a decision", correct: "corrected the note", uncorrect: "took back a correction", medicine: "changed a medicine", fill_gap: "filled a gap", answer_flag: "answered an alert", unanswer_flag: "took back an answer", details: "entered details", context: "changed the document", note_gap: "left a gap" }, back_at: "Back at version {n}",
  details_title: "Patient details", details_words: "For the letter head. Entered once and kept with the letter.", details: { patient_name: "Name", date_of_birth: "Date of birth", record_number: "Record number", ward: "Ward", admitted: "Admitted", discharged: "Discharged", clinician: "Clinician", hospital: "Hospital", phone: "Phone" },
  update_letter: "Update the letter", to_paste: "To paste or print", print: "Print", patient_copy: "For the patient", patient_copy_after: "Available after signing.", clinician_copy: "For the clinician", paper: "Paper", papers: { a4: "A4", letter: "Letter" }, large_type: "Large type",
  translation: "In another language", translate_to: "Language", translate: "Translate", translating: "Translating …", copy_translation: "Copy the translation", english: "English", unreviewed: "Translated by a language model. Nobody has reviewed it.", not_translated: "Not translated: {reason}.", needs_model: "A translation needs a language model, and none is set. Nothing else here translates a letter.",
  letter_languages: { ar: "Arabic", zh: "Chinese", fr: "French", de: "German", it: "Italian", pl: "Polish", pt: "Portuguese", ru: "Russian", es: "Spanish", vi: "Vietnamese" },
  key_list: [["j k", "Next, previous sentence"], ["e", "Edit the sentence (Enter saves, Esc leaves)"], ["c", "Mark as checked and go on"], ["a", "Add after it"], ["d", "Delete, with undo"], ["s", "Its sources, one after the other"], ["g", "Next gap"], ["u", "Undo the last change"], ["Ctrl Enter", "Draft; in a letter: sign"], ["m", "The menu above the page"], ["?", "This list"]],
  no_answer: "The service does not answer.", broke_off: "The service broke off before the letter was complete.",
};

// The fields of a request as the page calls them, each by the way to it.
function fieldName(path) {
  const [field, holder] = [...path].reverse();
  const inside = { edits: { text: W.sentence_tools }, medicine: { name: W.medicine, dose: W.dose, timing: W.when, reason: W.what_for, action: W.what_to_do }, answer: { words: W.in_words }, patient_notes: { text: W.earlier } };
  const names = { text: W.note_label, question: W.question, options: W.options, hospital_course: W.course, discharge_medicines: W.discharge_medicines, patient_notes: W.earlier, name: W.your_name, author: W.your_name, role: W.your_role };
  return inside[holder]?.[field] || W.details[field] || names[field] || field.replaceAll("_", " ");
}

// Not words but values that the page gives.
const W_DATA = { medicines_heading: "Your medicines", table_gaps: {}, which_holds: "", head_labels: {}, groups: {}, errors: {}, flags: {}, alerts: {} };

const ENGLISH = JSON.parse(JSON.stringify(W));

let TRANSLATED = {};

// What the API says in set phrases, in the page's language.
function said(text) {
  return TRANSLATED[text] || text;
}

// What the API refused, in its own words; in another language the kind of it before them.
function errorWords(kind, message) {
  return W_DATA.errors[kind] ? `${W_DATA.errors[kind]} (${message})` : message;
}

// What a flag says. The API's words are English: in another language stand before them its kind and what that means for what it names.
function flagWords(flag, letter) {
  const words = flagSaid(flag, letter);
  return words ? [words, v("span", { lang: "en", class: "small quiet in-english" }, flag.message)] : flag.message;
}

// The same without the English; nothing where the page is English.
function flagSaid(flag, letter) {
  if (!W_DATA.flags[flag.kind]) return null;
  const [before, after] = W_DATA.alerts[flag.kind].split(": {names}");
  const named = new Map([flag.medicine, ...(flag.evidence || []).map((one) => nameOfCondition(letter, one))].filter(Boolean).map((one) => [one.toLowerCase(), one]));
  const names = after === undefined || !named.size ? "" : [": ", v("span", { lang: "en" }, [...named.values()].join(", "))];
  return [v("strong", {}, W_DATA.flags[flag.kind], ". "), before, names, after];
}

function nameOfCondition(letter, id) {
  return letter.conditions.find((one) => one.concept_id === id)?.name || id;
}
