// Every word of a rater's form, in English. What the study wrote (title, instructions, questions, options) is its own and stays as it was frozen.

const W = {
  question_head: "The question", question: "Question", questions: "Questions", note: "Note", reference: "Reference text", document: "Document", document_n: "Document {part}", document_left: "Document {part} (left)", document_right: "Document {part} (right)",
  rests_on: "What it rests on", nothing_given: "Nothing was given for this document.", select_words: "Select words, or go by sentence with the keys s and a.", chosen_words: "Chosen: “{words}”", remark: "Remark", mark_error: "Mark error",
  // questions
  all_together: "All together", recognised: "I recognise who or what wrote this", with_evidence: "Now with the evidence: please answer every question again. Your first answers stay as they are.", evidence_waits: "Answer every question first. Then what each document rests on is shown, and you are asked again.", show_evidence: "Show what it rests on",
  how_recognised: "How you recognised it", record_it: "Record it", how_recognised_words: "How did you recognise it? Your answer is recorded; the rating goes on.", cancel: "Cancel",
  guesses_intro: "These are documents you have rated. Say how you think each was written. A guess is enough.", closing_intro: "The documents came from different ways of writing, numbered here. Say what each was good at and what not.",
  group_n: "Group {n}", your_items: "Your items {items}", none_of_yours: "None of your items", item_n: "Item {n}", item_document: "Item {n}, document {part}", guess_prompt: "How do you think it was written?",
  optional: "(optional)", only_cannot_judge: "What this question needs is not there for this item: only “cannot judge” is offered.", first_answer: "Your first answer: {answer}", cannot_judge: "Cannot judge", cannot_judge_word: "cannot judge",
  states: { saved: "✓ saved", saving: "… saving", waiting: "! not saved yet", refused: "✕ not saved" }, overwrote: "Another window had saved another answer here. Both are kept; this one counts.",
  place_of: "Place of document {part}", places: ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"], places_missing: "Saved once each has a place; missing: {parts}. Two may share one.", ranked_alike: "{parts} and {part}", then: ", then ", n_errors: ["{n} error", "{n} errors"], no_errors: "No errors",
  // errors and remarks
  error_types: { wrong: "Wrong", unsupported: "Unsupported", missing: "Missing", harmful: "Harmful" }, severities: { minor: "Minor", moderate: "Moderate", severe: "Severe" },
  remove: "Remove", remove_error: "Remove error {n}", mark_words: "Mark an error in the chosen words", something_missing: "Something is missing", choose_words_first: "Choose the words first: select them, or go to their sentence with s and a.", error_kind: "Kind of error", severity: "Severity", what_is_wrong: "What is wrong (optional)", choose_kind: "Choose the kind of error and its severity.", missing_words: "Something that should be there is missing.", add: "Add",
  remarks: "Remarks", remark_n: "Remark {n}", on_whole: "on the whole item", remove_remark: "Remove remark {n}", add_remark: "Add a remark on the whole item",
  // around the questions
  keys: "Keys", pause: "Pause", item_of: "Item {n} of {total}", practice_item: "(practice item)", n_complete: "{n} complete", guesses_head: "After the last item: one guess for each document", closing_head: "The last questions", progress: "Progress",
  saved_at: "✓ Saved {time}", all_saved: "✓ All saved", saving: "… Saving", n_waiting: ["! {n} answer not saved yet; sent again by itself", "! {n} answers not saved yet; sent again by itself"], try_now: "Try now", parts: "Parts of this item", back: "Back", to_end: "To the end", next_item: "Next item", go_on: "Continue", close: "Close",
  n_open_here: ["{n} question still open here. Press Next again to go on all the same.", "{n} questions still open here. Press Next again to go on all the same."], n_open: ["{n} question still open.", "{n} questions still open."],
  keys_off: "Turn these keys off; everything can be done with mouse or Tab and Enter",
  key_list: { "1 – 9": "the answer with that key, then on to the next open question", "0": "cannot judge", "j, k": "next or previous question", "n, p": "next or previous item", "s, a": "next or previous sentence of the document; x takes in one more", "t": "the next document, where there are several", "m": "a remark on the chosen words; with nothing chosen, on the item", "e": "mark an error in the chosen words; i: something is missing; 9: no errors", "g": "show the evidence, where it waits for the first rating", "Ctrl Enter, Esc": "leave a text; both save it", "?": "this list" },
};

const ENGLISH = JSON.parse(JSON.stringify(W));

// The language that times are written in.
let LANGUAGE = "en";

function takeWords(data) {
  LANGUAGE = document.documentElement.lang = data.language || "en";
  translateWords(W, ENGLISH, data.words || {});
}
