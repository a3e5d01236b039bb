-- The tables of Leapnote 0.1.0 on PostgreSQL, as that version made them.
CREATE TABLE access_trail (
	seq BIGSERIAL NOT NULL, 
	at TIMESTAMP WITH TIME ZONE NOT NULL, 
	actor TEXT NOT NULL, 
	act VARCHAR(20) NOT NULL, 
	name TEXT NOT NULL, 
	PRIMARY KEY (seq)
);

CREATE TABLE audit (
	id VARCHAR(36) NOT NULL, 
	at TIMESTAMP WITH TIME ZONE NOT NULL, 
	actor TEXT NOT NULL, 
	action VARCHAR(40) NOT NULL, 
	case_id VARCHAR(36) NOT NULL, 
	version INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	PRIMARY KEY (id)
);

CREATE INDEX audit_by_case ON audit (case_id, at);

CREATE TABLE cases (
	id VARCHAR(36) NOT NULL, 
	label TEXT NOT NULL, 
	author TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	version INTEGER NOT NULL, 
	created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL, 
	draft TEXT NOT NULL, 
	PRIMARY KEY (id)
);

CREATE INDEX cases_by_change ON cases (updated_at, id);

CREATE TABLE people (
	id VARCHAR(36) NOT NULL, 
	key VARCHAR(200) NOT NULL, 
	name TEXT NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	password TEXT NOT NULL, 
	created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
	removed_at TIMESTAMP WITH TIME ZONE, 
	PRIMARY KEY (id), 
	UNIQUE (key)
);

CREATE TABLE studies (
	id VARCHAR(36) NOT NULL, 
	name TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	version INTEGER NOT NULL, 
	created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL, 
	setup TEXT NOT NULL, 
	unlocked_at TIMESTAMP WITH TIME ZONE, 
	PRIMARY KEY (id)
);

CREATE TABLE study_events (
	seq BIGSERIAL NOT NULL, 
	id VARCHAR(36) NOT NULL, 
	study_id VARCHAR(36) NOT NULL, 
	actor TEXT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	item_id VARCHAR(60) NOT NULL, 
	details TEXT NOT NULL, 
	at TIMESTAMP WITH TIME ZONE NOT NULL, 
	process VARCHAR(36) NOT NULL, 
	tick_s FLOAT NOT NULL, 
	step INTEGER NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (id)
);

CREATE INDEX study_events_by_study ON study_events (study_id, actor, step);

CREATE TABLE case_edits (
	case_id VARCHAR(36) NOT NULL, 
	version INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (case_id, version, place), 
	FOREIGN KEY(case_id) REFERENCES cases (id) ON DELETE CASCADE
);

CREATE TABLE case_signatures (
	case_id VARCHAR(36) NOT NULL, 
	version INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (case_id, version), 
	FOREIGN KEY(case_id) REFERENCES cases (id) ON DELETE CASCADE
);

CREATE TABLE case_versions (
	case_id VARCHAR(36) NOT NULL, 
	version INTEGER NOT NULL, 
	author TEXT NOT NULL, 
	at TIMESTAMP WITH TIME ZONE NOT NULL, 
	corrects_signed BOOLEAN NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (case_id, version), 
	FOREIGN KEY(case_id) REFERENCES cases (id) ON DELETE CASCADE
);

CREATE TABLE logins (
	token_hash VARCHAR(64) NOT NULL, 
	person_id VARCHAR(36) NOT NULL, 
	created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
	used_at TIMESTAMP WITH TIME ZONE NOT NULL, 
	PRIMARY KEY (token_hash), 
	FOREIGN KEY(person_id) REFERENCES people (id)
);

CREATE INDEX logins_by_person ON logins (person_id);

CREATE TABLE study_adjudicators (
	study_id VARCHAR(36) NOT NULL, 
	rater_id VARCHAR(8) NOT NULL, 
	plan TEXT NOT NULL, 
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

CREATE TABLE study_frozen (
	study_id VARCHAR(36) NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	document TEXT NOT NULL, 
	PRIMARY KEY (study_id), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);

CREATE TABLE study_judges (
	seq BIGSERIAL NOT NULL, 
	id VARCHAR(36) NOT NULL, 
	study_id VARCHAR(36) NOT NULL, 
	content TEXT NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (id), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);

CREATE INDEX study_judges_by_study ON study_judges (study_id);

CREATE TABLE study_links (
	id VARCHAR(36) NOT NULL, 
	study_id VARCHAR(36) NOT NULL, 
	rater_id VARCHAR(8) NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	token_hash VARCHAR(64) NOT NULL, 
	label TEXT NOT NULL, 
	created_at TIMESTAMP WITH TIME ZONE NOT NULL, 
	withdrawn_at TIMESTAMP WITH TIME ZONE, 
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
	seq BIGSERIAL NOT NULL, 
	study_id VARCHAR(36) NOT NULL, 
	rater_id VARCHAR(8) NOT NULL, 
	id VARCHAR(36) NOT NULL, 
	item_id VARCHAR(60) NOT NULL, 
	phase VARCHAR(20) NOT NULL, 
	question VARCHAR(130) NOT NULL, 
	part VARCHAR(8) NOT NULL, 
	revision INTEGER NOT NULL, 
	at TIMESTAMP WITH TIME ZONE NOT NULL, 
	process VARCHAR(36) NOT NULL, 
	tick_s FLOAT NOT NULL, 
	step INTEGER NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (study_id, rater_id, id), 
	UNIQUE (study_id, rater_id, item_id, phase, question, part, revision), 
	FOREIGN KEY(study_id) REFERENCES studies (id)
);

CREATE INDEX study_ratings_by_step ON study_ratings (study_id, rater_id, step);

CREATE OR REPLACE FUNCTION audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$;
CREATE TRIGGER audit_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_only_grows();
CREATE OR REPLACE FUNCTION study_frozen_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'study_frozen is append-only'; END $$;
CREATE TRIGGER study_frozen_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON study_frozen FOR EACH STATEMENT EXECUTE FUNCTION study_frozen_only_grows();
CREATE OR REPLACE FUNCTION study_adjudicators_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'study_adjudicators is append-only'; END $$;
CREATE TRIGGER study_adjudicators_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON study_adjudicators FOR EACH STATEMENT EXECUTE FUNCTION study_adjudicators_only_grows();
CREATE OR REPLACE FUNCTION study_profiles_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'study_profiles is append-only'; END $$;
CREATE TRIGGER study_profiles_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON study_profiles FOR EACH STATEMENT EXECUTE FUNCTION study_profiles_only_grows();
CREATE OR REPLACE FUNCTION study_ratings_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'study_ratings is append-only'; END $$;
CREATE TRIGGER study_ratings_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON study_ratings FOR EACH STATEMENT EXECUTE FUNCTION study_ratings_only_grows();
CREATE OR REPLACE FUNCTION study_judges_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'study_judges is append-only'; END $$;
CREATE TRIGGER study_judges_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON study_judges FOR EACH STATEMENT EXECUTE FUNCTION study_judges_only_grows();
CREATE OR REPLACE FUNCTION study_events_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'study_events is append-only'; END $$;
CREATE TRIGGER study_events_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON study_events FOR EACH STATEMENT EXECUTE FUNCTION study_events_only_grows();
CREATE OR REPLACE FUNCTION access_trail_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'access_trail is append-only'; END $$;
CREATE TRIGGER access_trail_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON access_trail FOR EACH STATEMENT EXECUTE FUNCTION access_trail_only_grows();
