-- Synthetic, written for the tests of Leapnote: a database with one case, edited and signed. No text in it is a patient's.
BEGIN TRANSACTION;
CREATE TABLE audit (
	id VARCHAR(36) NOT NULL, 
	at DATETIME NOT NULL, 
	actor TEXT NOT NULL, 
	action VARCHAR(40) NOT NULL, 
	case_id VARCHAR(36) NOT NULL, 
	version INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "audit" VALUES('e040015c-e064-4114-85f1-115bb2fff17b','2026-05-01 12:01:00.000000','Dr Ames','create','3f665ede-f106-47ce-81fc-069e7a609683',1,0);
INSERT INTO "audit" VALUES('ec3b9605-4274-43eb-ad84-e91ef132bf2d','2026-05-01 12:02:00.000000','Dr Brand','replace','3f665ede-f106-47ce-81fc-069e7a609683',2,0);
INSERT INTO "audit" VALUES('33dcd77f-f179-42d2-a48b-96628f3c4be3','2026-05-01 12:02:00.000000','Dr Brand','replace','3f665ede-f106-47ce-81fc-069e7a609683',2,1);
INSERT INTO "audit" VALUES('6aa8b9e0-231b-4e14-b291-35bdd70a39d1','2026-05-01 12:03:00.000000','Dr Brand','sign','3f665ede-f106-47ce-81fc-069e7a609683',2,0);
CREATE TABLE case_edits (
	case_id VARCHAR(36) NOT NULL, 
	version INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (case_id, version, place), 
	FOREIGN KEY(case_id) REFERENCES cases (id) ON DELETE CASCADE
);
INSERT INTO "case_edits" VALUES('3f665ede-f106-47ce-81fc-069e7a609683',2,0,'{"version":2,"kind":"replace","sentence":"S3","text":"Your heart was weak.","earlier_text":"[team to complete: what was found]","concept_id":"","to_version":null,"author":"Dr Brand","at":"2026-05-01T12:02:00Z"}');
INSERT INTO "case_edits" VALUES('3f665ede-f106-47ce-81fc-069e7a609683',2,1,'{"version":2,"kind":"replace","sentence":"S4","text":"Take what your list says.","earlier_text":"[team to complete: which medicines to take]","concept_id":"","to_version":null,"author":"Dr Brand","at":"2026-05-01T12:02:00Z"}');
CREATE TABLE case_signatures (
	case_id VARCHAR(36) NOT NULL, 
	version INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (case_id, version), 
	FOREIGN KEY(case_id) REFERENCES cases (id) ON DELETE CASCADE
);
INSERT INTO "case_signatures" VALUES('3f665ede-f106-47ce-81fc-069e7a609683',2,'{"version":2,"name":"Dr Brand","role":"attending","at":"2026-05-01T12:03:00Z","acknowledgements":[{"flag":"F-93c85814b8","reason":"asked the patient"}]}');
CREATE TABLE case_versions (
	case_id VARCHAR(36) NOT NULL, 
	version INTEGER NOT NULL, 
	author TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	corrects_signed BOOLEAN NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (case_id, version), 
	FOREIGN KEY(case_id) REFERENCES cases (id) ON DELETE CASCADE
);
INSERT INTO "case_versions" VALUES('3f665ede-f106-47ce-81fc-069e7a609683',1,'Dr Ames','2026-05-01 12:01:00.000000',0,'{"text":"Why you were in the hospital\nYou came because you were short of breath. What you felt can fit heart failure. [team to complete: what was found]\n\nYour medicines\n[team to complete: which medicines to take]\n\nFollow-up\nWeigh yourself every morning. Keep your visits.","sentences":[{"text":"You came because you were short of breath.","section":"Why you were in the hospital","start_char":29,"end_char":71,"basis":"patient","citations":["N1"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":null,"proposed":false,"before_repair":"","id":"S1","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":null},{"text":"What you felt can fit heart failure.","section":"Why you were in the hospital","start_char":72,"end_char":108,"basis":"possible","citations":["N1","K1"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":"LN:heart-failure","proposed":false,"before_repair":"","id":"S2","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":"LN:heart-failure"},{"text":"[team to complete: what was found]","section":"Why you were in the hospital","start_char":109,"end_char":143,"basis":"general","citations":[],"support":"not_scored","support_score":null,"uncertainty":null,"reason":"a gap for the team, no statement","condition_id":null,"proposed":false,"before_repair":"","id":"S3","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":null},{"text":"[team to complete: which medicines to take]","section":"Your medicines","start_char":160,"end_char":203,"basis":"general","citations":[],"support":"not_scored","support_score":null,"uncertainty":null,"reason":"a gap for the team, no statement","condition_id":null,"proposed":false,"before_repair":"","id":"S4","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":null},{"text":"Weigh yourself every morning.","section":"Follow-up","start_char":215,"end_char":244,"basis":"possible","citations":["P1"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":"LN:heart-failure","proposed":false,"before_repair":"","id":"S5","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":"LN:heart-failure"},{"text":"Keep your visits.","section":"Follow-up","start_char":245,"end_char":262,"basis":"general","citations":["P2"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":null,"proposed":false,"before_repair":"","id":"S6","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":null}],"conditions":[{"concept_id":"LN:heart-failure","name":"heart failure","plain":"","score":1.0,"status":"possible","because":[],"stated":false,"historical":false,"must_not_miss":false,"focus":false,"confidence":""}],"flags":[{"kind":"allergy_not_recognised","severity":"severe","message":"Allergy “zorblax”: not recognised; not checked.","sentence":null,"evidence":[],"id":"F-93c85814b8"},{"kind":"gap","severity":"info","message":"2 places are left for the team to complete.","sentence":null,"evidence":[],"id":"F-846f663e0f"}],"checks":{"compared":[{"kind":"allergy","text":"lisinopril","concept_id":"LN:l","name":"lisinopril","against":0,"found":"no conflict found among 0 checked"}],"unrecognised":[{"kind":"allergy","text":"zorblax","start_char":null,"end_char":null}]},"readability":{"fkgl":null,"smog":null,"words":0},"next_sentence":7}');
INSERT INTO "case_versions" VALUES('3f665ede-f106-47ce-81fc-069e7a609683',2,'Dr Brand','2026-05-01 12:02:00.000000',0,'{"text":"Why you were in the hospital\nYou came because you were short of breath. What you felt can fit heart failure. Your heart was weak.\n\nYour medicines\nTake what your list says.\n\nFollow-up\nWeigh yourself every morning. Keep your visits.","sentences":[{"text":"You came because you were short of breath.","section":"Why you were in the hospital","start_char":29,"end_char":71,"basis":"patient","citations":["N1"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":null,"proposed":false,"before_repair":"","id":"S1","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":null},{"text":"What you felt can fit heart failure.","section":"Why you were in the hospital","start_char":72,"end_char":108,"basis":"possible","citations":["N1","K1"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":"LN:heart-failure","proposed":false,"before_repair":"","id":"S2","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":"LN:heart-failure"},{"text":"Your heart was weak.","section":"Why you were in the hospital","start_char":109,"end_char":129,"basis":"general","citations":[],"support":"not_scored","support_score":null,"uncertainty":null,"reason":"edited by a person","condition_id":null,"proposed":false,"before_repair":"","id":"S3","written_by":{"kind":"person","name":"Dr Brand","version":2,"at":"2026-05-01T12:02:00Z"},"earlier":[{"text":"[team to complete: what was found]","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"last_version":1}],"deleted":false,"deleted_reason":"","rests_on":null},{"text":"Take what your list says.","section":"Your medicines","start_char":146,"end_char":171,"basis":"general","citations":[],"support":"not_scored","support_score":null,"uncertainty":null,"reason":"edited by a person","condition_id":null,"proposed":false,"before_repair":"","id":"S4","written_by":{"kind":"person","name":"Dr Brand","version":2,"at":"2026-05-01T12:02:00Z"},"earlier":[{"text":"[team to complete: which medicines to take]","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"last_version":1}],"deleted":false,"deleted_reason":"","rests_on":null},{"text":"Weigh yourself every morning.","section":"Follow-up","start_char":183,"end_char":212,"basis":"possible","citations":["P1"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":"LN:heart-failure","proposed":false,"before_repair":"","id":"S5","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":"LN:heart-failure"},{"text":"Keep your visits.","section":"Follow-up","start_char":213,"end_char":230,"basis":"general","citations":["P2"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":null,"proposed":false,"before_repair":"","id":"S6","written_by":{"kind":"composer","name":"composer","version":1,"at":null},"earlier":[],"deleted":false,"deleted_reason":"","rests_on":null}],"conditions":[{"concept_id":"LN:heart-failure","name":"heart failure","plain":"","score":1.0,"status":"possible","because":[],"stated":false,"historical":false,"must_not_miss":false,"focus":false,"confidence":""}],"flags":[{"kind":"allergy_not_recognised","severity":"severe","message":"Allergy “zorblax”: not recognised; not checked.","sentence":null,"evidence":[],"id":"F-93c85814b8"}],"checks":{"compared":[],"unrecognised":[]},"readability":{"fkgl":null,"smog":null,"words":0},"next_sentence":7}');
CREATE TABLE cases (
	id VARCHAR(36) NOT NULL, 
	label TEXT NOT NULL, 
	author TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	version INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	draft TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "cases" VALUES('3f665ede-f106-47ce-81fc-069e7a609683','Heart failure, 80 F','Dr Ames','signed',2,'2026-05-01 12:01:00.000000','2026-05-01 12:03:00.000000','{"id":"11111111-1111-4111-8111-111111111111","document":"discharge_instructions","system":"leapnote","status":"complete","seed":0,"versions":{"leapnote":"0.1.0","graph":"starter, 10 concepts"},"generator":{"name":"composer","reason":"no language model server is set","where":""},"question":"","options":[],"answer":"","note":{"text":"Allergies: lisinopril (angioedema), zorblax\nChief complaint: short of breath","sections":[],"mentions":[]},"patient":{"age":80,"sex":"female","pregnant":null,"start_char":null,"end_char":null},"allergies":{"status":"listed","items":[{"text":"lisinopril","start_char":11,"end_char":21,"concept_id":"LN:l","name":"","kind":"allergy","reaction":"angioedema","checked":true},{"text":"zorblax","start_char":36,"end_char":43,"concept_id":null,"name":"","kind":"allergy","reaction":"","checked":false}],"text":"","possible":[]},"conditions":[{"concept_id":"LN:heart-failure","name":"heart failure","plain":"","score":1.0,"status":"possible","because":[],"stated":false,"historical":false,"must_not_miss":false,"focus":false,"confidence":""}],"plan":{"thoughts":[],"sub_queries":[]},"evidence":{"paths":[{"id":"K1","keyword":"dyspnea","steps":[],"score":1.0,"text":"dyspnea is a sign of heart failure","carried":"","condition_id":null}],"policy":[],"graph":[],"passages":[{"id":"P1","source":"book","document_id":"handbook/heart-failure","title":"Heart failure","url":"","licence":"CC0","text":"Weigh yourself every morning.","start_char":0,"end_char":29,"scores":{},"section":"","concept_id":""},{"id":"P2","source":"book","document_id":"handbook/heart-failure","title":"Heart failure","url":"","licence":"CC0","text":"Keep your visits.","start_char":0,"end_char":29,"scores":{},"section":"","concept_id":""}],"notes":[{"id":"N1","note_type":"Pasted note","section":"Chief complaint","date":null,"text":"short of breath","start_char":61,"end_char":76}],"references":[]},"text":"Why you were in the hospital\nYou came because you were short of breath. What you felt can fit heart failure. [team to complete: what was found]\n\nYour medicines\n[team to complete: which medicines to take]\n\nFollow-up\nWeigh yourself every morning. Keep your visits.","sentences":[{"text":"You came because you were short of breath.","section":"Why you were in the hospital","start_char":29,"end_char":71,"basis":"patient","citations":["N1"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":null,"proposed":false,"before_repair":""},{"text":"What you felt can fit heart failure.","section":"Why you were in the hospital","start_char":72,"end_char":108,"basis":"possible","citations":["N1","K1"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":"LN:heart-failure","proposed":false,"before_repair":""},{"text":"[team to complete: what was found]","section":"Why you were in the hospital","start_char":109,"end_char":143,"basis":"general","citations":[],"support":"not_scored","support_score":null,"uncertainty":null,"reason":"a gap for the team, no statement","condition_id":null,"proposed":false,"before_repair":""},{"text":"[team to complete: which medicines to take]","section":"Your medicines","start_char":160,"end_char":203,"basis":"general","citations":[],"support":"not_scored","support_score":null,"uncertainty":null,"reason":"a gap for the team, no statement","condition_id":null,"proposed":false,"before_repair":""},{"text":"Weigh yourself every morning.","section":"Follow-up","start_char":215,"end_char":244,"basis":"possible","citations":["P1"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":"LN:heart-failure","proposed":false,"before_repair":""},{"text":"Keep your visits.","section":"Follow-up","start_char":245,"end_char":262,"basis":"general","citations":["P2"],"support":"supported","support_score":0.9,"uncertainty":null,"reason":"","condition_id":null,"proposed":false,"before_repair":""}],"removed_citations":0,"struck":[],"uncertainty":null,"fallbacks":[],"flags":[{"kind":"allergy_not_recognised","severity":"severe","message":"Allergy “zorblax”: not recognised; not checked.","sentence":null,"evidence":[]},{"kind":"gap","severity":"info","message":"2 places are left for the team to complete.","sentence":null,"evidence":[]}],"checks":{"compared":[{"kind":"allergy","text":"lisinopril","concept_id":"LN:l","name":"lisinopril","against":0,"found":"no conflict found among 0 checked"}],"unrecognised":[{"kind":"allergy","text":"zorblax","start_char":null,"end_char":null}]},"readability":{"fkgl":null,"smog":null,"words":0},"stages":[],"timings_ms":{}}');
CREATE TABLE studies (
	id VARCHAR(36) NOT NULL, 
	name TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	version INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	setup TEXT NOT NULL, 
	unlocked_at DATETIME, 
	PRIMARY KEY (id)
);
CREATE TABLE study_adjudicators (
	study_id VARCHAR(36) NOT NULL, 
	rater_id VARCHAR(8) NOT NULL, 
	"plan" TEXT NOT NULL, 
	PRIMARY KEY (study_id, rater_id), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);
CREATE TABLE study_cases (
	study_id VARCHAR(36) NOT NULL, 
	case_id VARCHAR(60) NOT NULL, 
	place INTEGER NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (study_id, case_id), 
	FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE study_drafts (
	study_id VARCHAR(36) NOT NULL, 
	case_id VARCHAR(60) NOT NULL, 
	arm_id VARCHAR(60) NOT NULL, 
	status VARCHAR(20) NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (study_id, case_id, arm_id), 
	FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE study_events (
	seq INTEGER NOT NULL, 
	id VARCHAR(36) NOT NULL, 
	study_id VARCHAR(36) NOT NULL, 
	actor TEXT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	item_id VARCHAR(60) NOT NULL, 
	details TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	process VARCHAR(36) NOT NULL, 
	tick_s FLOAT NOT NULL, 
	step INTEGER NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (id)
);
CREATE TABLE study_frozen (
	study_id VARCHAR(36) NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, 
	PRIMARY KEY (study_id), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);
CREATE TABLE study_judges (
	seq INTEGER NOT NULL, 
	id VARCHAR(36) NOT NULL, 
	study_id VARCHAR(36) NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (id), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);
CREATE TABLE study_links (
	id VARCHAR(36) NOT NULL, 
	study_id VARCHAR(36) NOT NULL, 
	rater_id VARCHAR(8) NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	token_hash VARCHAR(64) NOT NULL, 
	label TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	withdrawn_at DATETIME, 
	PRIMARY KEY (id), 
	FOREIGN KEY(study_id) REFERENCES studies (id), 
	UNIQUE (token_hash)
);
CREATE TABLE study_profiles (
	study_id VARCHAR(36) NOT NULL, 
	rater_id VARCHAR(8) NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (study_id, rater_id), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);
CREATE TABLE study_ratings (
	seq INTEGER NOT NULL, 
	study_id VARCHAR(36) NOT NULL, 
	rater_id VARCHAR(8) NOT NULL, 
	id VARCHAR(36) NOT NULL, 
	item_id VARCHAR(60) NOT NULL, 
	phase VARCHAR(20) NOT NULL, 
	question VARCHAR(130) NOT NULL, 
	part VARCHAR(8) NOT NULL, 
	revision INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	process VARCHAR(36) NOT NULL, 
	tick_s FLOAT NOT NULL, 
	step INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (study_id, rater_id, id), 
	UNIQUE (study_id, rater_id, item_id, phase, question, part, revision), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);
CREATE INDEX study_events_by_study ON study_events (study_id, actor, step);
CREATE TRIGGER study_events_no_update BEFORE UPDATE ON study_events BEGIN SELECT RAISE(ABORT, 'study_events is append-only'); END;
CREATE TRIGGER study_events_no_delete BEFORE DELETE ON study_events BEGIN SELECT RAISE(ABORT, 'study_events is append-only'); END;
CREATE INDEX cases_by_change ON cases (updated_at, id);
CREATE INDEX audit_by_case ON audit (case_id, at);
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER study_frozen_no_update BEFORE UPDATE ON study_frozen BEGIN SELECT RAISE(ABORT, 'study_frozen is append-only'); END;
CREATE TRIGGER study_frozen_no_delete BEFORE DELETE ON study_frozen BEGIN SELECT RAISE(ABORT, 'study_frozen is append-only'); END;
CREATE TRIGGER study_adjudicators_no_update BEFORE UPDATE ON study_adjudicators BEGIN SELECT RAISE(ABORT, 'study_adjudicators is append-only'); END;
CREATE TRIGGER study_adjudicators_no_delete BEFORE DELETE ON study_adjudicators BEGIN SELECT RAISE(ABORT, 'study_adjudicators is append-only'); END;
CREATE TRIGGER study_profiles_no_update BEFORE UPDATE ON study_profiles BEGIN SELECT RAISE(ABORT, 'study_profiles is append-only'); END;
CREATE TRIGGER study_profiles_no_delete BEFORE DELETE ON study_profiles BEGIN SELECT RAISE(ABORT, 'study_profiles is append-only'); END;
CREATE INDEX study_ratings_by_step ON study_ratings (study_id, rater_id, step);
CREATE TRIGGER study_ratings_no_update BEFORE UPDATE ON study_ratings BEGIN SELECT RAISE(ABORT, 'study_ratings is append-only'); END;
CREATE TRIGGER study_ratings_no_delete BEFORE DELETE ON study_ratings BEGIN SELECT RAISE(ABORT, 'study_ratings is append-only'); END;
CREATE INDEX study_judges_by_study ON study_judges (study_id);
CREATE TRIGGER study_judges_no_update BEFORE UPDATE ON study_judges BEGIN SELECT RAISE(ABORT, 'study_judges is append-only'); END;
CREATE TRIGGER study_judges_no_delete BEFORE DELETE ON study_judges BEGIN SELECT RAISE(ABORT, 'study_judges is append-only'); END;
COMMIT;
