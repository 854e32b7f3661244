-- Generated; do not edit. Renew it with: BATON_GOLDEN=write Tests/run --filter GoldenSchemaTests
--
-- The types and tables of a fresh `gymrats migrate`, with their indexes, constraints and triggers. Functions and views
-- are in separate files. Dumped by PostgreSQL 15, sorted by GoldenSchemaTests. No program reads this file.
-- The file is long, because a test compares it as a whole, and readers search it for a table.

-- Types

CREATE TYPE auth_provider AS ENUM (
    'apple',
    'google',
    'email'
);

CREATE TYPE challenge_state AS ENUM (
    'open',
    'closed',
    'cancelled'
);

CREATE TYPE challenge_type AS ENUM (
    'check-ins',
    'streak'
);

CREATE TYPE client_event_kind AS ENUM (
    'write_failed',
    'link_failed',
    'board_fetched'
);

CREATE TYPE common_failure AS (
	job text,
	reason text,
	since timestamp with time zone,
	failures bigint
);

CREATE TYPE group_answer AS (
	id text,
	name text,
	member_count integer,
	max_members integer,
	is_active boolean,
	created_at timestamp with time zone,
	created_by text,
	role text,
	joined_at timestamp with time zone,
	is_muted boolean
);

CREATE DOMAIN identifier AS text COLLATE pg_catalog."C"
	CONSTRAINT identifier_check CHECK ((((octet_length(VALUE) >= 1) AND (octet_length(VALUE) <= 256)) AND (VALUE !~ '[\x01-\x1f\x7f]'::text)));

CREATE TYPE invite_answer AS (
	id uuid,
	token text,
	expires_at timestamp with time zone
);

CREATE TYPE invite_preview AS (
	refusal text,
	name text,
	member_count integer,
	is_full boolean
);

CREATE TYPE join_answer AS (
	refusal text,
	group_id text,
	joined_at timestamp with time zone
);

CREATE TYPE notification_type AS ENUM (
    'rank_change',
    'week_ended',
    'new_member'
);

CREATE TYPE partial_transaction AS (
	xact xid8,
	last_id bigint,
	end_id bigint
);

CREATE TYPE rank_policy AS ENUM (
    'competition',
    'unique',
    'dense'
);

CREATE TYPE report_reason AS ENUM (
    'spam',
    'harassment',
    'profile',
    'cheating',
    'other'
);

CREATE TYPE run_call AS (
	event bigint,
	at timestamp with time zone,
	run_at timestamp with time zone,
	priority smallint
);

CREATE TYPE run_state AS ENUM (
    'ready',
    'running'
);

CREATE TYPE run_wait AS (
	first_event_at timestamp with time zone,
	last_event_at timestamp with time zone,
	run_at timestamp with time zone,
	asked_at timestamp with time zone,
	priority smallint
);

CREATE TYPE streak_policy AS ENUM (
    'peak',
    'lastRun',
    'weekOnly'
);

CREATE TYPE streak_source AS ENUM (
    'ledger',
    'reported'
);

CREATE TYPE usage_kind AS ENUM (
    'group_created',
    'group_joined',
    'invite_created',
    'invite_previewed'
);

CREATE TYPE user_answer AS (
	id text,
	display_name text,
	email text,
	photo_url text,
	auth_provider auth_provider,
	current_group_id text,
	shares_workouts boolean,
	time_zone text,
	asks_for_name boolean,
	created_at timestamp with time zone
);

CREATE TYPE workout_answer AS (
	outcome workout_outcome,
	reason text,
	week_start date,
	is_replayed boolean
);

CREATE TYPE workout_outcome AS ENUM (
    'accepted',
    'notCounted',
    'ignoredPrivacy',
    'noActiveGroup',
    'acceptedLate',
    'expired',
    'rejected',
    'duplicate'
);

-- Tables, each with what belongs to it

CREATE TABLE access (
    singleton boolean DEFAULT true NOT NULL,
    prefix text NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT access_prefix_check CHECK ((prefix ~ '^[a-z_][a-z0-9_]{0,39}$'::text)),
    CONSTRAINT access_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY access ADD CONSTRAINT access_pkey PRIMARY KEY (singleton);

CREATE TABLE access_object (
    object text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    made_by text
);
ALTER TABLE ONLY access_object ADD CONSTRAINT access_object_pkey PRIMARY KEY (object);

CREATE SEQUENCE account_count START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

CREATE TABLE active_group (
    user_id identifier NOT NULL,
    group_id identifier NOT NULL
);
ALTER TABLE ONLY active_group ADD CONSTRAINT active_group_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY active_group ADD CONSTRAINT active_group_group_id_user_id_fkey FOREIGN KEY (group_id, user_id) REFERENCES member(group_id, user_id);
CREATE TRIGGER active_group_deleted AFTER DELETE ON active_group REFERENCING OLD TABLE AS old_row FOR EACH STATEMENT EXECUTE FUNCTION active_group_removed();
CREATE TRIGGER active_group_inserted AFTER INSERT ON active_group REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION active_group_written();
CREATE TRIGGER active_group_moved AFTER UPDATE ON active_group REFERENCING OLD TABLE AS old_row FOR EACH STATEMENT EXECUTE FUNCTION active_group_removed();
CREATE TRIGGER active_group_updated AFTER UPDATE ON active_group REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION active_group_written();

CREATE SEQUENCE attempt_count START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

CREATE TABLE audit (
    day date NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    login text NOT NULL,
    role text NOT NULL,
    os_user text,
    host text,
    program text,
    application text NOT NULL,
    client inet,
    action text NOT NULL,
    subject jsonb NOT NULL,
    before jsonb,
    after jsonb,
    filter jsonb,
    count bigint,
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_action_check CHECK (((length(action) >= 1) AND (length(action) <= 64))),
    CONSTRAINT audit_check CHECK (((count IS NULL) OR (filter IS NOT NULL))),
    CONSTRAINT audit_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT audit_number_check CHECK ((number > 0)),
    CONSTRAINT audit_previous_check CHECK ((octet_length(previous) = 32))
);
ALTER TABLE ONLY audit ADD CONSTRAINT audit_pkey PRIMARY KEY (day, number);
CREATE TRIGGER audit_changed BEFORE UPDATE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_deleted AFTER DELETE ON audit REFERENCING OLD TABLE AS old_row FOR EACH STATEMENT EXECUTE FUNCTION audit_deleted();

CREATE TABLE audit_chain (
    singleton boolean DEFAULT true NOT NULL,
    last_day date,
    last_number integer,
    last_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    purged_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    CONSTRAINT audit_chain_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY audit_chain ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (singleton);
CREATE TRIGGER audit_chain_changed BEFORE UPDATE ON audit_chain FOR EACH ROW EXECUTE FUNCTION audit_chain_changed();
CREATE TRIGGER audit_chain_removed BEFORE DELETE OR TRUNCATE ON audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TABLE batch (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    parent bigint,
    batch_job text COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sealed_at timestamp with time zone,
    ended_at timestamp with time zone,
    generation integer DEFAULT 1 NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    dead bigint DEFAULT 0 NOT NULL,
    cancelled bigint DEFAULT 0 NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    cancel_position bigint,
    retry_position bigint,
    due timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE batch ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME batch_id_seq);
ALTER TABLE ONLY batch ADD CONSTRAINT batch_name_key UNIQUE (name);
ALTER TABLE ONLY batch ADD CONSTRAINT batch_pkey PRIMARY KEY (id);
CREATE INDEX batch_due ON batch USING btree (due) WHERE (ended_at IS NULL);
CREATE INDEX batch_parent ON batch USING btree (parent) WHERE (parent IS NOT NULL);

CREATE TABLE batch_member (
    batch bigint NOT NULL,
    is_dead boolean DEFAULT false NOT NULL,
    id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    is_cancelled boolean DEFAULT false NOT NULL,
    xact xid8 DEFAULT pg_current_xact_id() NOT NULL,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY batch_member ADD CONSTRAINT batch_member_pkey PRIMARY KEY (batch, is_dead, id);
CREATE INDEX batch_member_key ON batch_member USING btree (job, key);

CREATE TABLE board_version (
    challenge_id uuid NOT NULL,
    rank_version bigint DEFAULT 0 NOT NULL,
    is_told boolean DEFAULT false NOT NULL
)
WITH (fillfactor='70');
ALTER TABLE ONLY board_version ADD CONSTRAINT board_version_pkey PRIMARY KEY (challenge_id);
CREATE INDEX board_version_untold ON board_version USING btree (challenge_id) WHERE (NOT is_told);

CREATE TABLE cancel_request (
    id bigint NOT NULL,
    run_id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    requested_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE cancel_request ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME cancel_request_id_seq);
ALTER TABLE ONLY cancel_request ADD CONSTRAINT cancel_request_pkey PRIMARY KEY (id);
CREATE INDEX cancel_request_run ON cancel_request USING btree (run_id);

CREATE TABLE cancellation (
    run_id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    requested_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY cancellation ADD CONSTRAINT cancellation_pkey PRIMARY KEY (run_id);

CREATE TABLE challenge (
    id uuid NOT NULL,
    group_id identifier NOT NULL,
    week_start date NOT NULL,
    type challenge_type NOT NULL,
    state challenge_state DEFAULT 'open'::challenge_state NOT NULL,
    starts_at timestamp with time zone GENERATED ALWAYS AS (((week_start)::timestamp without time zone AT TIME ZONE 'UTC'::text)) STORED,
    ends_at timestamp with time zone GENERATED ALWAYS AS ((((week_start)::timestamp without time zone + '7 days'::interval) AT TIME ZONE 'UTC'::text)) STORED,
    created_at timestamp with time zone DEFAULT domain_now() NOT NULL,
    closed_at timestamp with time zone,
    reopened_until timestamp with time zone,
    CONSTRAINT challenge_week_start_check CHECK ((EXTRACT(isodow FROM week_start) = (1)::numeric))
)
WITH (autovacuum_vacuum_scale_factor='0.02');
ALTER TABLE ONLY challenge ADD CONSTRAINT challenge_board UNIQUE (group_id, week_start, type);
ALTER TABLE ONLY challenge ADD CONSTRAINT challenge_pkey PRIMARY KEY (id);
ALTER TABLE ONLY challenge ADD CONSTRAINT challenge_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id);
CREATE INDEX challenge_ended ON challenge USING btree (week_start, state, closed_at) WHERE (state <> 'open'::challenge_state);
CREATE INDEX challenge_final ON challenge USING btree (week_start, group_id) WHERE (state <> 'open'::challenge_state);
CREATE INDEX challenge_open ON challenge USING btree (week_start, group_id) WHERE (state = 'open'::challenge_state);
CREATE INDEX challenge_reopened ON challenge USING btree (reopened_until) WHERE ((state = 'open'::challenge_state) AND (reopened_until IS NOT NULL));
CREATE TRIGGER challenge_deleted AFTER DELETE ON challenge REFERENCING OLD TABLE AS old_row FOR EACH STATEMENT EXECUTE FUNCTION challenge_deleted();
CREATE TRIGGER challenge_inserted AFTER INSERT ON challenge REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION challenge_inserted('week.overdue');
CREATE TRIGGER challenge_renamed AFTER UPDATE OF id ON challenge FOR EACH ROW WHEN ((old.id <> new.id)) EXECUTE FUNCTION challenge_renamed();

CREATE TABLE claim_key (
    id integer NOT NULL,
    inner_block bytea,
    outer_block bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT claim_key_check CHECK ((((id = 0) = (inner_block IS NULL)) AND ((id = 0) = (outer_block IS NULL)))),
    CONSTRAINT claim_key_id_check CHECK ((id >= 0)),
    CONSTRAINT claim_key_inner_block_check CHECK ((octet_length(inner_block) = 64)),
    CONSTRAINT claim_key_outer_block_check CHECK ((octet_length(outer_block) = 64))
);
ALTER TABLE ONLY claim_key ADD CONSTRAINT claim_key_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX claim_key_parity ON claim_key USING btree (((id % 2))) WHERE (id > 0);

CREATE SEQUENCE claim_number_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

CREATE TABLE client_event (
    number bigint NOT NULL,
    id uuid NOT NULL,
    user_id identifier,
    kind client_event_kind NOT NULL,
    milliseconds integer,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT client_event_milliseconds_check CHECK (((milliseconds >= 0) AND (milliseconds <= 600000))),
    CONSTRAINT client_event_time CHECK (((kind = 'board_fetched'::client_event_kind) = (milliseconds IS NOT NULL)))
);
ALTER TABLE client_event ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME client_event_number_seq);
ALTER TABLE ONLY client_event ADD CONSTRAINT client_event_call UNIQUE (user_id, id);
ALTER TABLE ONLY client_event ADD CONSTRAINT client_event_pkey PRIMARY KEY (number);
ALTER TABLE ONLY client_event ADD CONSTRAINT client_event_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL;
CREATE INDEX client_event_age ON client_event USING btree (recorded_at);
CREATE INDEX client_event_day ON client_event USING btree (user_id, recorded_at);

CREATE TABLE closed_week (
    group_id text NOT NULL COLLATE pg_catalog."C",
    week_start date NOT NULL,
    is_told boolean NOT NULL,
    closed_at timestamp with time zone NOT NULL,
    content jsonb,
    closings integer DEFAULT 1 NOT NULL,
    members text[] COLLATE pg_catalog."C",
    check_ins_ranks integer[],
    streak_ranks integer[]
);
ALTER TABLE ONLY closed_week ADD CONSTRAINT closed_week_pkey PRIMARY KEY (week_start, group_id);

CREATE TABLE dead_run (
    id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    payload jsonb,
    attempt integer NOT NULL,
    error text NOT NULL,
    died_at timestamp with time zone DEFAULT now() NOT NULL,
    earlier_ids bigint[],
    first_event_at timestamp with time zone,
    payload_event bigint,
    newest_event bigint,
    replaced_by bigint
);
ALTER TABLE ONLY dead_run ADD CONSTRAINT dead_run_pkey PRIMARY KEY (id);
CREATE INDEX dead_run_key ON dead_run USING btree (job, key);
CREATE INDEX dead_run_payload ON dead_run USING btree (job, id) WHERE (payload IS NOT NULL);
CREATE TRIGGER dead_run_inserted AFTER INSERT ON dead_run REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION dead_run_inserted('run.died');

CREATE TABLE development (
    singleton boolean DEFAULT true NOT NULL,
    clock timestamp with time zone,
    ahead_us bigint DEFAULT 0 NOT NULL,
    fires_schedules boolean DEFAULT true NOT NULL,
    CONSTRAINT development_ahead_us_check CHECK ((ahead_us >= 0)),
    CONSTRAINT development_check CHECK (((clock IS NULL) OR (ahead_us = 0))),
    CONSTRAINT development_clock_check CHECK (isfinite(clock)),
    CONSTRAINT development_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY development ADD CONSTRAINT development_pkey PRIMARY KEY (singleton);

CREATE SEQUENCE dropped_push START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

CREATE TABLE entry (
    challenge_id uuid NOT NULL,
    user_id identifier NOT NULL,
    value integer NOT NULL,
    reached_at timestamp with time zone NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    display_name text NOT NULL,
    photo_url text,
    hidden boolean DEFAULT false NOT NULL,
    last_updated timestamp with time zone NOT NULL,
    CONSTRAINT entry_value_check CHECK ((value >= 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY entry ADD CONSTRAINT entry_pkey PRIMARY KEY (challenge_id, user_id);
CREATE TRIGGER entry_deleted AFTER DELETE ON entry REFERENCING OLD TABLE AS old_row FOR EACH STATEMENT EXECUTE FUNCTION entry_deleted('entry.changed');
CREATE TRIGGER entry_inserted AFTER INSERT ON entry REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION entry_inserted('entry.changed');
CREATE TRIGGER entry_shown AFTER UPDATE OF hidden ON entry FOR EACH ROW WHEN ((old.hidden AND (NOT new.hidden) AND (new.value > 0))) EXECUTE FUNCTION entry_shown();
CREATE TRIGGER entry_updated AFTER UPDATE ON entry REFERENCING OLD TABLE AS old_row NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION entry_updated('entry.changed');

CREATE TABLE event_0 (
    id bigint DEFAULT nextval('event_id_seq'::regclass) NOT NULL,
    xact xid8 DEFAULT pg_current_xact_id() NOT NULL,
    topic text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    payload jsonb,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    run_id bigint,
    run_at timestamp with time zone,
    replaces boolean,
    priority smallint,
    origin text COLLATE pg_catalog."C",
    trace text DEFAULT NULLIF("left"(current_setting('baton.traceparent'::text, true), 55), ''::text) COLLATE pg_catalog."C",
    CONSTRAINT event_key CHECK (((octet_length(key) >= 1) AND (octet_length(key) <= 256)))
);
ALTER TABLE ONLY event_0 ADD CONSTRAINT event_0_pkey PRIMARY KEY (id);
CREATE INDEX event_0_xact ON event_0 USING btree (xact, hashtext(key));

CREATE TABLE event_1 (
    id bigint DEFAULT nextval('event_id_seq'::regclass) NOT NULL,
    xact xid8 DEFAULT pg_current_xact_id() NOT NULL,
    topic text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    payload jsonb,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    run_id bigint,
    run_at timestamp with time zone,
    replaces boolean,
    priority smallint,
    origin text COLLATE pg_catalog."C",
    trace text DEFAULT NULLIF("left"(current_setting('baton.traceparent'::text, true), 55), ''::text) COLLATE pg_catalog."C",
    CONSTRAINT event_key CHECK (((octet_length(key) >= 1) AND (octet_length(key) <= 256)))
);
ALTER TABLE ONLY event_1 ADD CONSTRAINT event_1_pkey PRIMARY KEY (id);
CREATE INDEX event_1_xact ON event_1 USING btree (xact, hashtext(key));

CREATE TABLE event_2 (
    id bigint DEFAULT nextval('event_id_seq'::regclass) NOT NULL,
    xact xid8 DEFAULT pg_current_xact_id() NOT NULL,
    topic text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    payload jsonb,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    run_id bigint,
    run_at timestamp with time zone,
    replaces boolean,
    priority smallint,
    origin text COLLATE pg_catalog."C",
    trace text DEFAULT NULLIF("left"(current_setting('baton.traceparent'::text, true), 55), ''::text) COLLATE pg_catalog."C",
    CONSTRAINT event_key CHECK (((octet_length(key) >= 1) AND (octet_length(key) <= 256)))
);
ALTER TABLE ONLY event_2 ADD CONSTRAINT event_2_pkey PRIMARY KEY (id);
CREATE INDEX event_2_xact ON event_2 USING btree (xact, hashtext(key));

CREATE TABLE event_cursor (
    singleton boolean DEFAULT true NOT NULL,
    CONSTRAINT event_cursor_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY event_cursor ADD CONSTRAINT event_cursor_pkey PRIMARY KEY (singleton);

CREATE SEQUENCE event_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

CREATE TABLE event_position (
    id bigint NOT NULL,
    snapshot pg_snapshot NOT NULL,
    epoch bigint NOT NULL,
    set_by xid8 DEFAULT pg_current_xact_id() NOT NULL,
    base pg_snapshot,
    last_id bigint,
    end_id bigint,
    partial partial_transaction[],
    deferred bigint[],
    dispatched_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT event_position_check CHECK ((((base IS NULL) = (last_id IS NULL)) AND ((base IS NULL) = (end_id IS NULL))))
);
ALTER TABLE event_position ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME event_position_id_seq);
ALTER TABLE ONLY event_position ADD CONSTRAINT event_position_pkey PRIMARY KEY (id);

CREATE TABLE event_segment (
    singleton boolean DEFAULT true NOT NULL,
    current smallint NOT NULL,
    rotated_at timestamp with time zone DEFAULT now() NOT NULL,
    has_listener boolean DEFAULT false NOT NULL,
    may_wake boolean DEFAULT true NOT NULL,
    channel text DEFAULT ('baton_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)) NOT NULL,
    CONSTRAINT event_segment_current_check CHECK (((current >= 0) AND (current <= 2))),
    CONSTRAINT event_segment_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY event_segment ADD CONSTRAINT event_segment_pkey PRIMARY KEY (singleton);

CREATE TABLE event_wait (
    run_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    job text NOT NULL COLLATE pg_catalog."C",
    run_key text NOT NULL COLLATE pg_catalog."C",
    topic text NOT NULL COLLATE pg_catalog."C",
    event_key text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    seen bigint NOT NULL,
    event bigint,
    attempt integer,
    CONSTRAINT event_wait_decided CHECK (((event IS NULL) OR (attempt IS NULL)))
);
ALTER TABLE ONLY event_wait ADD CONSTRAINT event_wait_pkey PRIMARY KEY (run_id, name);
CREATE INDEX event_wait_key ON event_wait USING btree (topic, event_key) WHERE (attempt IS NOT NULL);

CREATE TABLE failed_attempt (
    id bigint NOT NULL,
    run_id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    attempt integer NOT NULL,
    worker text,
    began_at timestamp with time zone,
    ended_at timestamp with time zone NOT NULL,
    error text NOT NULL,
    is_snooze boolean DEFAULT false NOT NULL
);
ALTER TABLE failed_attempt ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME failed_attempt_id_seq);
ALTER TABLE ONLY failed_attempt ADD CONSTRAINT failed_attempt_pkey PRIMARY KEY (id);
CREATE INDEX failed_attempt_ended ON failed_attempt USING btree (ended_at);
CREATE INDEX failed_attempt_run ON failed_attempt USING btree (run_id);

CREATE TABLE group_limit (
    job text NOT NULL COLLATE pg_catalog."C",
    group_key text NOT NULL COLLATE pg_catalog."C",
    concurrency integer,
    paused_at timestamp with time zone,
    CONSTRAINT group_limit_check CHECK (((concurrency IS NOT NULL) OR (paused_at IS NOT NULL))),
    CONSTRAINT group_limit_concurrency_check CHECK ((concurrency > 0))
);
ALTER TABLE ONLY group_limit ADD CONSTRAINT group_limit_pkey PRIMARY KEY (job, group_key);

CREATE TABLE groups (
    id identifier NOT NULL,
    name text NOT NULL,
    max_members integer DEFAULT 10 NOT NULL,
    member_count integer DEFAULT 0 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT domain_now() NOT NULL,
    created_by identifier,
    deleted_by identifier,
    ended_at timestamp with time zone,
    CONSTRAINT group_ended CHECK ((is_active = (ended_at IS NULL))),
    CONSTRAINT group_full CHECK (((member_count >= 0) AND (member_count <= max_members))),
    CONSTRAINT group_inactive CHECK ((is_active OR (member_count = 0))),
    CONSTRAINT groups_max_members_check CHECK (((max_members >= 1) AND (max_members <= 1000)))
);
ALTER TABLE ONLY groups ADD CONSTRAINT groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY groups ADD CONSTRAINT groups_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
ALTER TABLE ONLY groups ADD CONSTRAINT groups_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES users(id);
CREATE INDEX group_age ON groups USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX group_creator ON groups USING btree (created_by, created_at) WHERE (created_by IS NOT NULL);
CREATE INDEX group_deleter ON groups USING btree (deleted_by) WHERE (deleted_by IS NOT NULL);
CREATE INDEX group_name ON groups USING btree (name, id);
CREATE TRIGGER group_counted AFTER UPDATE OF member_count ON groups FOR EACH ROW WHEN ((old.member_count <> new.member_count)) EXECUTE FUNCTION group_counted();
CREATE TRIGGER group_inserted AFTER INSERT ON groups FOR EACH ROW WHEN ((new.member_count > 0)) EXECUTE FUNCTION group_counted();

CREATE TABLE held_group (
    id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    group_key text NOT NULL COLLATE pg_catalog."C",
    due timestamp with time zone NOT NULL
);
ALTER TABLE held_group ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME held_group_id_seq);
ALTER TABLE ONLY held_group ADD CONSTRAINT held_group_pkey PRIMARY KEY (id);
CREATE INDEX held_group_due ON held_group USING btree (job, due, id);
CREATE INDEX held_group_key ON held_group USING btree (job, group_key, due, id);

CREATE TABLE identity (
    provider auth_provider NOT NULL,
    subject identifier NOT NULL,
    user_id identifier NOT NULL,
    created_at timestamp with time zone DEFAULT domain_now() NOT NULL
);
ALTER TABLE ONLY identity ADD CONSTRAINT identity_pkey PRIMARY KEY (provider, subject);
ALTER TABLE ONLY identity ADD CONSTRAINT identity_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX identity_user ON identity USING btree (user_id);

CREATE TABLE ignored_workout (
    id bigint NOT NULL,
    day date NOT NULL,
    workouts integer DEFAULT 1 NOT NULL,
    CONSTRAINT ignored_workout_workouts_check CHECK ((workouts > 0))
);
ALTER TABLE ignored_workout ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME ignored_workout_id_seq);
ALTER TABLE ONLY ignored_workout ADD CONSTRAINT ignored_workout_pkey PRIMARY KEY (id);
CREATE INDEX ignored_workout_day ON ignored_workout USING btree (day);

CREATE TABLE invite (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_hash bytea NOT NULL,
    group_id identifier NOT NULL,
    created_by identifier NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT invite_times CHECK ((expires_at > created_at)),
    CONSTRAINT invite_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
ALTER TABLE ONLY invite ADD CONSTRAINT invite_pkey PRIMARY KEY (id);
ALTER TABLE ONLY invite ADD CONSTRAINT invite_token UNIQUE (token_hash);
ALTER TABLE ONLY invite ADD CONSTRAINT invite_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
ALTER TABLE ONLY invite ADD CONSTRAINT invite_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id);
CREATE INDEX invite_creator ON invite USING btree (created_by, created_at);
CREATE INDEX invite_end ON invite USING btree (expires_at);
CREATE INDEX invite_group ON invite USING btree (group_id);
CREATE INDEX invite_newest ON invite USING btree (group_id, created_at DESC, id);

CREATE TABLE invite_attempt (
    user_id identifier NOT NULL,
    began_at timestamp with time zone NOT NULL,
    attempts integer NOT NULL,
    CONSTRAINT invite_attempt_attempts_check CHECK ((attempts >= 0))
);
ALTER TABLE ONLY invite_attempt ADD CONSTRAINT invite_attempt_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY invite_attempt ADD CONSTRAINT invite_attempt_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE INDEX invite_attempt_age ON invite_attempt USING btree (began_at);

CREATE TABLE job (
    name text NOT NULL COLLATE pg_catalog."C",
    topics text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    quiet interval NOT NULL,
    at_most interval NOT NULL,
    every interval,
    paused_at timestamp with time zone,
    keeps_history boolean DEFAULT false NOT NULL,
    needs_key boolean DEFAULT false NOT NULL,
    keeps_payloads boolean DEFAULT false NOT NULL,
    joins_changes boolean DEFAULT false NOT NULL,
    priority smallint DEFAULT 5 NOT NULL,
    priorities smallint[] DEFAULT '{5}'::smallint[] NOT NULL,
    program text,
    kind text,
    batch integer,
    timeout interval,
    attempts integer,
    first_wait interval,
    longest_wait interval,
    effect_concurrency integer,
    role text,
    tables text[],
    registered_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT job_check CHECK ((at_most >= quiet)),
    CONSTRAINT job_every_check CHECK ((every > '00:00:00'::interval)),
    CONSTRAINT job_priority_check CHECK (((priority >= 1) AND (priority <= 9))),
    CONSTRAINT job_quiet_check CHECK ((quiet >= '00:00:00'::interval))
);
ALTER TABLE ONLY job ADD CONSTRAINT job_pkey PRIMARY KEY (name);

CREATE TABLE job_activity (
    job text NOT NULL COLLATE pg_catalog."C",
    last_ran_at timestamp with time zone NOT NULL,
    runs bigint NOT NULL,
    batches bigint NOT NULL
);
ALTER TABLE ONLY job_activity ADD CONSTRAINT job_activity_pkey PRIMARY KEY (job);

CREATE TABLE job_alias (
    name text NOT NULL COLLATE pg_catalog."C",
    job text NOT NULL COLLATE pg_catalog."C",
    written_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY job_alias ADD CONSTRAINT job_alias_pkey PRIMARY KEY (name);

CREATE TABLE job_grant (
    job text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    may_cancel boolean NOT NULL,
    granted_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY job_grant ADD CONSTRAINT job_grant_pkey PRIMARY KEY (job, role);

CREATE TABLE job_limit (
    job text NOT NULL COLLATE pg_catalog."C",
    concurrency integer,
    group_concurrency integer,
    group_field text,
    group_separator text,
    group_part integer,
    start_interval interval,
    burst integer,
    rested_at timestamp with time zone,
    group_interval interval,
    group_burst integer,
    declared_concurrency integer,
    declared_group_concurrency integer,
    set_concurrency integer,
    set_group_concurrency integer,
    CONSTRAINT job_limit_burst_check CHECK ((burst > 0)),
    CONSTRAINT job_limit_check CHECK (((start_interval IS NULL) = (burst IS NULL))),
    CONSTRAINT job_limit_check1 CHECK (((group_separator IS NULL) = (group_part IS NULL))),
    CONSTRAINT job_limit_concurrency_check CHECK ((concurrency > 0)),
    CONSTRAINT job_limit_group_burst_check CHECK ((group_burst > 0)),
    CONSTRAINT job_limit_group_concurrency_check CHECK ((group_concurrency > 0)),
    CONSTRAINT job_limit_group_interval_check CHECK ((group_interval > '00:00:00'::interval)),
    CONSTRAINT job_limit_group_part_check CHECK ((group_part > 0)),
    CONSTRAINT job_limit_group_rate CHECK (((group_interval IS NULL) = (group_burst IS NULL))),
    CONSTRAINT job_limit_set_concurrency_check CHECK ((set_concurrency > 0)),
    CONSTRAINT job_limit_set_group_concurrency_check CHECK ((set_group_concurrency > 0)),
    CONSTRAINT job_limit_start_interval_check CHECK ((start_interval > '00:00:00'::interval))
);
ALTER TABLE ONLY job_limit ADD CONSTRAINT job_limit_pkey PRIMARY KEY (job);
CREATE TRIGGER limit_pushes BEFORE INSERT OR UPDATE ON job_limit FOR EACH ROW WHEN ((new.job = ANY (ARRAY['push-rank-change'::text, 'push-notification'::text, 'push-webhook'::text]))) EXECUTE FUNCTION limit_pushes();

CREATE TABLE limit_start (
    id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    group_key text COLLATE pg_catalog."C",
    rested_at timestamp with time zone NOT NULL
);
ALTER TABLE limit_start ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME limit_start_id_seq);
ALTER TABLE ONLY limit_start ADD CONSTRAINT limit_start_pkey PRIMARY KEY (id);
CREATE INDEX limit_start_newest ON limit_start USING btree (job, group_key, rested_at);

CREATE TABLE member (
    group_id identifier NOT NULL,
    user_id identifier NOT NULL,
    role text DEFAULT 'member'::text NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    left_at timestamp with time zone,
    calls bigint DEFAULT 0 NOT NULL,
    is_muted boolean DEFAULT false NOT NULL,
    has_left boolean DEFAULT false NOT NULL,
    user_version integer DEFAULT 0 NOT NULL,
    CONSTRAINT member_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
)
WITH (fillfactor='80');
ALTER TABLE ONLY member ADD CONSTRAINT member_pkey PRIMARY KEY (group_id, user_id);
ALTER TABLE ONLY member ADD CONSTRAINT member_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id);
ALTER TABLE ONLY member ADD CONSTRAINT member_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE INDEX member_age ON member USING btree (left_at) WHERE (left_at IS NOT NULL);
CREATE INDEX member_current ON member USING btree (group_id, joined_at, user_id) WHERE (left_at IS NULL);
CREATE INDEX member_user ON member USING btree (user_id);
CREATE TRIGGER member_inserted AFTER INSERT ON member REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION member_inserted();
CREATE TRIGGER member_updated AFTER UPDATE OF left_at, joined_at ON member FOR EACH ROW WHEN (((old.left_at IS DISTINCT FROM new.left_at) OR (old.joined_at <> new.joined_at))) EXECUTE FUNCTION member_updated();

CREATE TABLE membership (
    group_id identifier NOT NULL,
    user_id identifier NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    left_at timestamp with time zone,
    removed_by identifier,
    CONSTRAINT membership_times CHECK ((left_at >= joined_at))
);
ALTER TABLE ONLY membership ADD CONSTRAINT membership_pkey PRIMARY KEY (group_id, user_id, joined_at);
ALTER TABLE ONLY membership ADD CONSTRAINT membership_group_id_user_id_fkey FOREIGN KEY (group_id, user_id) REFERENCES member(group_id, user_id);
ALTER TABLE ONLY membership ADD CONSTRAINT membership_removed_by_fkey FOREIGN KEY (removed_by) REFERENCES users(id);
CREATE UNIQUE INDEX membership_now ON membership USING btree (group_id, user_id) WHERE (left_at IS NULL);
CREATE INDEX membership_remover ON membership USING btree (removed_by) WHERE (removed_by IS NOT NULL);

CREATE TABLE migration (
    part text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    program text,
    release integer,
    is_compatible boolean
);
ALTER TABLE ONLY migration ADD CONSTRAINT migration_pkey PRIMARY KEY (part, name);

CREATE TABLE notification (
    partition smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    group_id text NOT NULL COLLATE pg_catalog."C",
    type notification_type NOT NULL,
    challenge_id uuid,
    content jsonb NOT NULL,
    is_read boolean DEFAULT false NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    week_start date,
    scores integer[]
)
PARTITION BY LIST (partition);
ALTER TABLE notification ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME notification_id_seq);
ALTER TABLE ONLY notification ADD CONSTRAINT notification_pkey PRIMARY KEY (partition, created_at, id);
CREATE INDEX notification_user ON ONLY notification USING btree (user_id, created_at);
CREATE TRIGGER notification_inserted AFTER INSERT ON notification REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION notification_inserted('push.notification');
CREATE TRIGGER notification_updated AFTER UPDATE ON notification REFERENCING OLD TABLE AS old_row NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION notification_updated('push.rank-change');
CREATE TRIGGER rank_change_inserted AFTER INSERT ON notification REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION notification_inserted('push.rank-change');
-- notification_N for N = 0 to 15, 16 partitions: each has its parent's columns, and ALTER INDEX notification_pkey ATTACH PARTITION notification_N_pkey; ALTER INDEX notification_user ATTACH PARTITION notification_N_user_id_created_at_idx; ALTER TABLE ONLY notification ATTACH PARTITION notification_N FOR VALUES IN ('N'); ALTER TABLE ONLY notification_N ADD CONSTRAINT notification_N_pkey PRIMARY KEY (partition, created_at, id); CREATE INDEX notification_N_user_id_created_at_idx ON notification_N USING btree (user_id, created_at); CREATE TABLE notification_N () WITH (fillfactor='90')

CREATE TABLE object_definition (
    kind text NOT NULL COLLATE pg_catalog."C",
    relation text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    definition text NOT NULL
);
ALTER TABLE ONLY object_definition ADD CONSTRAINT object_definition_pkey PRIMARY KEY (kind, relation, name);

CREATE TABLE occurrence (
    job text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    scheduled_at timestamp with time zone NOT NULL,
    fired_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    CONSTRAINT occurrence_outcome_check CHECK ((outcome = ANY (ARRAY['fired'::text, 'skipped'::text, 'backfilled'::text])))
);
ALTER TABLE ONLY occurrence ADD CONSTRAINT occurrence_pkey PRIMARY KEY (job, name, scheduled_at);

CREATE TABLE program_release (
    program text NOT NULL COLLATE pg_catalog."C",
    release integer NOT NULL,
    rolled_back integer DEFAULT '-1'::integer NOT NULL,
    fingerprint text,
    written_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY program_release ADD CONSTRAINT program_release_pkey PRIMARY KEY (program);

CREATE TABLE push_device (
    id bigint NOT NULL,
    user_id identifier NOT NULL,
    platform text NOT NULL,
    environment text NOT NULL,
    token text NOT NULL COLLATE pg_catalog."C",
    secret text,
    locale text NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    owner text GENERATED ALWAYS AS (
CASE platform
    WHEN 'webhook'::text THEN (user_id)::text
    ELSE ''::text
END) STORED NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT push_device_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
    CONSTRAINT push_device_locale_check CHECK (((octet_length(locale) >= 1) AND (octet_length(locale) <= 35))),
    CONSTRAINT push_device_platform_check CHECK ((platform = ANY (ARRAY['apns'::text, 'fcm'::text, 'webhook'::text]))),
    CONSTRAINT push_device_secret CHECK (((platform = 'webhook'::text) = (secret IS NOT NULL))),
    CONSTRAINT push_device_secret_check CHECK (((octet_length(secret) >= 32) AND (octet_length(secret) <= 256))),
    CONSTRAINT push_device_token_check CHECK (((octet_length(token) >= 1) AND (octet_length(token) <= 2048)))
);
ALTER TABLE push_device ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME push_device_id_seq);
ALTER TABLE ONLY push_device ADD CONSTRAINT push_device_pkey PRIMARY KEY (id);
ALTER TABLE ONLY push_device ADD CONSTRAINT push_device_token UNIQUE (platform, token, owner);
ALTER TABLE ONLY push_device ADD CONSTRAINT push_device_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX push_device_age ON push_device USING btree (registered_at);
CREATE INDEX push_device_user ON push_device USING btree (user_id, registered_at);

CREATE TABLE push_setting (
    user_id identifier NOT NULL,
    muted text[] NOT NULL,
    quiet_from time without time zone,
    quiet_until time without time zone,
    CONSTRAINT push_setting_quiet CHECK (((num_nulls(quiet_from, quiet_until) = ANY (ARRAY[0, 2])) AND (quiet_from <> quiet_until)))
);
ALTER TABLE ONLY push_setting ADD CONSTRAINT push_setting_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY push_setting ADD CONSTRAINT push_setting_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

CREATE TABLE recent_run (
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    free_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_cost_delay='0', vacuum_truncate=off);
ALTER TABLE ONLY recent_run ADD CONSTRAINT recent_run_pkey PRIMARY KEY (job, key, free_at);

CREATE TABLE refused_edit (
    id bigint NOT NULL,
    user_id identifier NOT NULL,
    workout_id identifier NOT NULL,
    revision integer NOT NULL,
    sent_performed_at timestamp with time zone,
    sent_utc_offset_s integer,
    is_deletion boolean DEFAULT false NOT NULL,
    reason text NOT NULL,
    week_start date NOT NULL,
    refused_at timestamp with time zone DEFAULT domain_now() NOT NULL
);
ALTER TABLE refused_edit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME refused_edit_id_seq);
ALTER TABLE ONLY refused_edit ADD CONSTRAINT refused_edit_call UNIQUE NULLS NOT DISTINCT (user_id, workout_id, revision, sent_performed_at, sent_utc_offset_s, is_deletion);
ALTER TABLE ONLY refused_edit ADD CONSTRAINT refused_edit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY refused_edit ADD CONSTRAINT refused_edit_user_id_workout_id_fkey FOREIGN KEY (user_id, workout_id) REFERENCES workout(user_id, workout_id) ON DELETE CASCADE;
CREATE INDEX refused_edit_age ON refused_edit USING btree (refused_at);

CREATE TABLE replay (
    singleton boolean DEFAULT true NOT NULL,
    file_digest text NOT NULL,
    from_date date,
    to_date date,
    step interval NOT NULL,
    closes_weeks boolean NOT NULL,
    CONSTRAINT replay_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY replay ADD CONSTRAINT replay_pkey PRIMARY KEY (singleton);

CREATE TABLE reported_streak (
    user_id identifier NOT NULL,
    group_id identifier NOT NULL,
    week_start date NOT NULL,
    id bigint NOT NULL,
    streak_days integer NOT NULL,
    reported_at timestamp with time zone NOT NULL,
    CONSTRAINT reported_streak_streak_days_check CHECK (((streak_days >= 0) AND (streak_days <= 3650))),
    CONSTRAINT reported_streak_week_start_check CHECK ((EXTRACT(isodow FROM week_start) = (1)::numeric))
);
ALTER TABLE reported_streak ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME reported_streak_id_seq);
ALTER TABLE ONLY reported_streak ADD CONSTRAINT reported_streak_pkey PRIMARY KEY (user_id, group_id, week_start, id);
ALTER TABLE ONLY reported_streak ADD CONSTRAINT reported_streak_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id);
ALTER TABLE ONLY reported_streak ADD CONSTRAINT reported_streak_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX reported_streak_group ON reported_streak USING btree (group_id);
CREATE INDEX reported_streak_week ON reported_streak USING btree (week_start);

CREATE TABLE run (
    id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    state run_state NOT NULL,
    due timestamp with time zone NOT NULL,
    first_event_at timestamp with time zone,
    last_event_at timestamp with time zone,
    attempt integer DEFAULT 0 NOT NULL,
    crashes integer DEFAULT 0 NOT NULL,
    batch_limit integer DEFAULT 0 NOT NULL,
    payload jsonb,
    token uuid,
    worker uuid,
    last_error text,
    earlier_ids bigint[],
    run_at timestamp with time zone,
    asked_at timestamp with time zone,
    backoff_until timestamp with time zone,
    priority smallint DEFAULT 5 NOT NULL,
    group_key text COLLATE pg_catalog."C",
    is_held boolean DEFAULT false NOT NULL,
    origin text COLLATE pg_catalog."C",
    trace text COLLATE pg_catalog."C",
    crashed_at timestamp with time zone[],
    newest_event bigint,
    payload_event bigint,
    replaced_by bigint,
    calls run_call[],
    claim_number bigint DEFAULT '9223372036854775807'::bigint NOT NULL,
    has_checkpoint boolean,
    CONSTRAINT run_is_valid CHECK ((((priority >= 1) AND (priority <= 9)) AND (((first_event_at IS NOT NULL) AND (last_event_at IS NOT NULL)) OR (run_at IS NOT NULL)) AND ((token IS NULL) = (worker IS NULL)) AND
CASE state
    WHEN 'running'::run_state THEN ((worker IS NOT NULL) OR (has_checkpoint IS TRUE))
    ELSE ((worker IS NULL) AND (has_checkpoint IS NULL))
END AND ((NOT is_held) OR ((worker IS NULL) AND (batch_limit = 0) AND (group_key IS NOT NULL)))))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_cost_delay='0', vacuum_truncate=off);
ALTER TABLE run ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME run_id_seq);
ALTER TABLE ONLY run ADD CONSTRAINT run_pkey PRIMARY KEY (job, key, state);
CREATE INDEX run_alone ON run USING btree (job, due) WHERE ((worker IS NULL) AND (batch_limit = '-1'::integer));
CREATE INDEX run_backoff ON run USING btree (job, backoff_until) WHERE ((worker IS NULL) AND (backoff_until IS NOT NULL));
CREATE INDEX run_claimed ON run USING btree (job, claim_number) WHERE ((state = 'running'::run_state) AND ((group_key IS NULL) IS FALSE));
CREATE INDEX run_held ON run USING btree (job, group_key, priority, due) WHERE is_held;
CREATE INDEX run_held_due ON run USING btree (job, due) WHERE ((NOT is_held) IS FALSE);
CREATE INDEX run_limited ON run USING btree (job, group_key, claim_number) WHERE ((state = 'running'::run_state) AND (group_key IS NOT NULL));
CREATE INDEX run_ready ON run USING btree (job, batch_limit, priority, due, id) WHERE ((worker IS NULL) AND (NOT is_held));
CREATE INDEX run_running ON run USING btree (worker) WHERE (worker IS NOT NULL);
CREATE INDEX run_split ON run USING btree (job, due) WHERE ((worker IS NULL) AND (batch_limit > 0));
CREATE INDEX run_waiting_id ON run USING btree (id) WHERE (worker IS NULL);

CREATE TABLE run_checkpoint (
    run_id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    state json,
    done bigint,
    total bigint,
    saved_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT run_checkpoint_check CHECK (((done IS NULL) = (total IS NULL))),
    CONSTRAINT run_checkpoint_done_check CHECK ((done >= 0)),
    CONSTRAINT run_checkpoint_total_check CHECK ((total >= 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY run_checkpoint ADD CONSTRAINT run_checkpoint_pkey PRIMARY KEY (run_id);

CREATE TABLE run_history (
    partition smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    attempt integer NOT NULL,
    outcome text NOT NULL,
    started_at timestamp with time zone,
    duration_ms bigint,
    report jsonb,
    error text,
    output jsonb,
    worker text,
    made_at timestamp with time zone,
    last_event_at timestamp with time zone,
    earlier_ids bigint[],
    CONSTRAINT run_history_check CHECK ((partition = day_partition(created_at))),
    CONSTRAINT run_history_check1 CHECK (((outcome = 'dead'::text) = (error IS NOT NULL))),
    CONSTRAINT run_history_duration_ms_check CHECK ((duration_ms >= 0)),
    CONSTRAINT run_history_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'dead'::text, 'cancelled'::text])))
)
PARTITION BY LIST (partition);
ALTER TABLE ONLY run_history ADD CONSTRAINT run_history_pkey PRIMARY KEY (partition, created_at, id);
CREATE INDEX run_history_earlier_ids ON ONLY run_history USING gin (earlier_ids) WHERE (earlier_ids IS NOT NULL);
CREATE INDEX run_history_id ON ONLY run_history USING btree (id);
CREATE INDEX run_history_job ON ONLY run_history USING btree (job, created_at);
-- run_history_N for N = 0 to 15, 16 partitions: each has its parent's columns, and ALTER INDEX run_history_earlier_ids ATTACH PARTITION run_history_N_earlier_ids_idx; ALTER INDEX run_history_id ATTACH PARTITION run_history_N_id_idx; ALTER INDEX run_history_job ATTACH PARTITION run_history_N_job_created_at_idx; ALTER INDEX run_history_pkey ATTACH PARTITION run_history_N_pkey; ALTER TABLE ONLY run_history ATTACH PARTITION run_history_N FOR VALUES IN ('N'); ALTER TABLE ONLY run_history_N ADD CONSTRAINT run_history_N_pkey PRIMARY KEY (partition, created_at, id); CREATE INDEX run_history_N_earlier_ids_idx ON run_history_N USING gin (earlier_ids) WHERE (earlier_ids IS NOT NULL); CREATE INDEX run_history_N_id_idx ON run_history_N USING btree (id); CREATE INDEX run_history_N_job_created_at_idx ON run_history_N USING btree (job, created_at); CREATE TABLE run_history_N ()

CREATE TABLE run_payload (
    id bigint DEFAULT nextval('event_id_seq'::regclass) NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    payload jsonb NOT NULL,
    taken_by bigint
);
ALTER TABLE ONLY run_payload ADD CONSTRAINT run_payload_pkey PRIMARY KEY (job, key, id);
CREATE INDEX run_payload_taken_by ON run_payload USING btree (taken_by) WHERE (taken_by IS NOT NULL);

CREATE TABLE run_progress (
    run_id bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    duration_ms bigint NOT NULL,
    report jsonb NOT NULL,
    written_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT run_progress_duration_ms_check CHECK ((duration_ms >= 0))
);
ALTER TABLE ONLY run_progress ADD CONSTRAINT run_progress_pkey PRIMARY KEY (run_id);

CREATE TABLE run_step (
    run_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    result json NOT NULL,
    saved_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY run_step ADD CONSTRAINT run_step_pkey PRIMARY KEY (run_id, name);

CREATE TABLE runner_setting (
    singleton boolean DEFAULT true NOT NULL,
    run_history_age interval DEFAULT '7 days'::interval NOT NULL,
    dead_run_age interval DEFAULT '30 days'::interval NOT NULL,
    unregistered_after interval DEFAULT '24:00:00'::interval NOT NULL,
    CONSTRAINT runner_setting_dead_run_age_check CHECK ((dead_run_age >= '1 day'::interval)),
    CONSTRAINT runner_setting_run_history_age_check CHECK (((run_history_age >= '1 day'::interval) AND (run_history_age <= '14 days'::interval))),
    CONSTRAINT runner_setting_singleton_check CHECK (singleton),
    CONSTRAINT runner_setting_unregistered_after_check CHECK ((unregistered_after >= '02:00:00'::interval))
);
ALTER TABLE ONLY runner_setting ADD CONSTRAINT runner_setting_pkey PRIMARY KEY (singleton);

CREATE TABLE schedule (
    job text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    expression text NOT NULL,
    time_zone text,
    missed text NOT NULL,
    payload jsonb,
    next_at timestamp with time zone,
    last_at timestamp with time zone,
    last_fired_at timestamp with time zone,
    paused_at timestamp with time zone,
    in_development boolean NOT NULL,
    source text DEFAULT 'program'::text NOT NULL,
    key text,
    until timestamp with time zone,
    is_new boolean DEFAULT false NOT NULL,
    CONSTRAINT schedule_missed_check CHECK ((missed = ANY (ARRAY['skip'::text, 'once'::text, 'all'::text]))),
    CONSTRAINT schedule_source_check CHECK ((source = ANY (ARRAY['program'::text, 'sql'::text])))
);
ALTER TABLE ONLY schedule ADD CONSTRAINT schedule_pkey PRIMARY KEY (job, name);
CREATE INDEX schedule_declared ON schedule USING btree (job, name) WHERE (source = 'program'::text);
CREATE INDEX schedule_due ON schedule USING btree (job, in_development, next_at) WHERE ((paused_at IS NULL) AND (next_at IS NOT NULL));

CREATE TABLE schedule_delay (
    job text NOT NULL COLLATE pg_catalog."C",
    delay interval NOT NULL,
    CONSTRAINT schedule_delay_delay_check CHECK ((delay >= '00:00:00'::interval))
);
ALTER TABLE ONLY schedule_delay ADD CONSTRAINT schedule_delay_pkey PRIMARY KEY (job);

CREATE TABLE schema_object (
    part text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    relation text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL
);
ALTER TABLE ONLY schema_object ADD CONSTRAINT schema_object_pkey PRIMARY KEY (kind, name);

CREATE TABLE schema_part (
    part text NOT NULL COLLATE pg_catalog."C",
    set_number integer NOT NULL
);
ALTER TABLE ONLY schema_part ADD CONSTRAINT schema_part_pkey PRIMARY KEY (part);

CREATE TABLE sent_event (
    number bigint NOT NULL,
    topic text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    payload jsonb,
    dispatched_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE sent_event ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME sent_event_number_seq);
ALTER TABLE ONLY sent_event ADD CONSTRAINT sent_event_pkey PRIMARY KEY (number);
CREATE INDEX sent_event_key ON sent_event USING btree (topic, key, number);

CREATE TABLE server_clock (
    singleton boolean DEFAULT true NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT server_clock_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY server_clock ADD CONSTRAINT server_clock_pkey PRIMARY KEY (singleton);

CREATE TABLE session (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id identifier NOT NULL,
    device text NOT NULL,
    token_hash bytea NOT NULL,
    previous_hash bytea,
    salt bytea,
    refreshed_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT session_check CHECK ((ended_at >= created_at)),
    CONSTRAINT session_device_check CHECK (((char_length(device) >= 1) AND (char_length(device) <= 100))),
    CONSTRAINT session_previous_hash_check CHECK ((octet_length(previous_hash) = 32)),
    CONSTRAINT session_refresh CHECK ((((previous_hash IS NULL) = (refreshed_at IS NULL)) AND ((salt IS NULL) = (refreshed_at IS NULL)))),
    CONSTRAINT session_salt_check CHECK ((octet_length(salt) = 32)),
    CONSTRAINT session_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
ALTER TABLE ONLY session ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY session ADD CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX session_end ON session USING btree (expires_at);
CREATE INDEX session_of_user ON session USING btree (user_id, created_at);

CREATE TABLE setting (
    singleton boolean DEFAULT true NOT NULL,
    grace interval DEFAULT '00:10:00'::interval NOT NULL,
    max_checkins_per_day integer DEFAULT 0 NOT NULL,
    check_ins_rank rank_policy DEFAULT 'competition'::rank_policy NOT NULL,
    streak_rank rank_policy DEFAULT 'competition'::rank_policy NOT NULL,
    streak_policy streak_policy DEFAULT 'peak'::streak_policy NOT NULL,
    streak_source streak_source DEFAULT 'ledger'::streak_source NOT NULL,
    include_zero boolean DEFAULT false NOT NULL,
    notification_age interval DEFAULT '7 days'::interval NOT NULL,
    board_age interval DEFAULT '90 days'::interval NOT NULL,
    rank_change_cooldown interval DEFAULT '00:00:00'::interval NOT NULL,
    rank_change_daily_cap integer DEFAULT 0 NOT NULL,
    invite_age interval DEFAULT '14 days'::interval NOT NULL,
    invite_attempts integer DEFAULT 20 NOT NULL,
    legacy_invites boolean DEFAULT false NOT NULL,
    analytics_age interval DEFAULT '400 days'::interval NOT NULL,
    client_events_a_day integer DEFAULT 200 NOT NULL,
    beta_share integer DEFAULT 0 NOT NULL,
    workouts_a_day integer DEFAULT 100 NOT NULL,
    edits_a_workout integer DEFAULT 100 NOT NULL,
    groups_a_day integer DEFAULT 20 NOT NULL,
    invites_a_day integer DEFAULT 50 NOT NULL,
    joins_a_day integer DEFAULT 10 NOT NULL,
    accounts_an_hour integer DEFAULT 20000 NOT NULL,
    attempts_an_hour integer DEFAULT 100000 NOT NULL,
    revision_age interval DEFAULT '90 days'::interval NOT NULL,
    group_age interval DEFAULT '365 days'::interval NOT NULL,
    workout_age interval,
    session_age interval DEFAULT '90 days'::interval NOT NULL,
    sessions_a_day integer DEFAULT 50 NOT NULL,
    blocks_of_user integer DEFAULT 500 NOT NULL,
    reports_an_hour integer DEFAULT 20 NOT NULL,
    report_age interval DEFAULT '365 days'::interval NOT NULL,
    devices_of_user integer DEFAULT 10 NOT NULL,
    device_age interval DEFAULT '270 days'::interval NOT NULL,
    pushes_a_second integer DEFAULT 20 NOT NULL,
    push_age interval DEFAULT '12:00:00'::interval NOT NULL,
    pauses_a_day integer DEFAULT 100 NOT NULL,
    CONSTRAINT setting_accounts_an_hour_check CHECK (((accounts_an_hour >= 1) AND (accounts_an_hour <= 100000000))),
    CONSTRAINT setting_analytics_age_check CHECK ((analytics_age >= '1 day'::interval)),
    CONSTRAINT setting_attempts_an_hour_check CHECK (((attempts_an_hour >= 1) AND (attempts_an_hour <= 100000000))),
    CONSTRAINT setting_beta_share_check CHECK (((beta_share >= 0) AND (beta_share <= 100))),
    CONSTRAINT setting_blocks_of_user_check CHECK (((blocks_of_user >= 1) AND (blocks_of_user <= 1000))),
    CONSTRAINT setting_board_age_check CHECK ((board_age >= '7 days'::interval)),
    CONSTRAINT setting_client_events_a_day_check CHECK ((client_events_a_day >= 0)),
    CONSTRAINT setting_device_age_check CHECK (((device_age >= '30 days'::interval) AND (device_age <= '3660 days'::interval))),
    CONSTRAINT setting_devices_of_user_check CHECK (((devices_of_user >= 1) AND (devices_of_user <= 100))),
    CONSTRAINT setting_edits_a_workout_check CHECK (((edits_a_workout >= 1) AND (edits_a_workout <= 10000))),
    CONSTRAINT setting_grace_check CHECK (((grace >= '00:00:00'::interval) AND (grace <= '12:00:00'::interval))),
    CONSTRAINT setting_group_age_check CHECK (((group_age >= '30 days'::interval) AND (group_age <= '3660 days'::interval))),
    CONSTRAINT setting_groups_a_day_check CHECK (((groups_a_day >= 1) AND (groups_a_day <= 10000))),
    CONSTRAINT setting_invite_age_check CHECK (((invite_age > '00:00:00'::interval) AND (invite_age <= '366 days'::interval))),
    CONSTRAINT setting_invite_attempts_check CHECK ((invite_attempts > 0)),
    CONSTRAINT setting_invites_a_day_check CHECK (((invites_a_day >= 1) AND (invites_a_day <= 10000))),
    CONSTRAINT setting_joins_a_day_check CHECK (((joins_a_day >= 1) AND (joins_a_day <= 10000))),
    CONSTRAINT setting_max_checkins_per_day_check CHECK ((max_checkins_per_day >= 0)),
    CONSTRAINT setting_notification_age_check CHECK (((notification_age >= '7 days'::interval) AND (notification_age <= '14 days'::interval))),
    CONSTRAINT setting_pauses_a_day_check CHECK (((pauses_a_day >= 1) AND (pauses_a_day <= 10000))),
    CONSTRAINT setting_push_age_check CHECK (((push_age >= '00:00:01'::interval) AND (push_age <= '7 days'::interval))),
    CONSTRAINT setting_pushes_a_second_check CHECK (((pushes_a_second >= 1) AND (pushes_a_second <= 1000))),
    CONSTRAINT setting_rank_change_cooldown_check CHECK ((rank_change_cooldown >= '00:00:00'::interval)),
    CONSTRAINT setting_rank_change_daily_cap_check CHECK ((rank_change_daily_cap >= 0)),
    CONSTRAINT setting_report_age_check CHECK (((report_age >= '30 days'::interval) AND (report_age <= '3660 days'::interval))),
    CONSTRAINT setting_reports_an_hour_check CHECK (((reports_an_hour >= 1) AND (reports_an_hour <= 10000))),
    CONSTRAINT setting_revision_age_check CHECK (((revision_age >= '90 days'::interval) AND (revision_age <= '3660 days'::interval))),
    CONSTRAINT setting_session_age_check CHECK (((session_age >= '01:00:00'::interval) AND (session_age <= '3660 days'::interval))),
    CONSTRAINT setting_sessions_a_day_check CHECK (((sessions_a_day >= 1) AND (sessions_a_day <= 10000))),
    CONSTRAINT setting_singleton_check CHECK (singleton),
    CONSTRAINT setting_workout_age_check CHECK (((workout_age >= '365 days'::interval) AND (workout_age <= '36600 days'::interval))),
    CONSTRAINT setting_workouts_a_day_check CHECK (((workouts_a_day >= 1) AND (workouts_a_day <= 10000)))
);
ALTER TABLE ONLY setting ADD CONSTRAINT setting_pkey PRIMARY KEY (singleton);
CREATE TRIGGER grace_changed AFTER UPDATE OF grace ON setting FOR EACH ROW EXECUTE FUNCTION grace_changed();
CREATE TRIGGER push_rate_changed AFTER UPDATE OF pushes_a_second ON setting FOR EACH ROW WHEN ((old.pushes_a_second <> new.pushes_a_second)) EXECUTE FUNCTION push_rate_changed();

CREATE TABLE sharing_pause (
    user_id identifier NOT NULL,
    began_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT sharing_pause_check CHECK ((ended_at >= began_at))
);
ALTER TABLE ONLY sharing_pause ADD CONSTRAINT sharing_pause_pkey PRIMARY KEY (user_id, began_at);
ALTER TABLE ONLY sharing_pause ADD CONSTRAINT sharing_pause_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX sharing_pause_age ON sharing_pause USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE TABLE silent_move (
    id bigint NOT NULL,
    challenge_id uuid NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    gone_rank integer,
    value integer,
    CONSTRAINT silent_move_kind CHECK (((gone_rank IS NULL) <> (value IS NULL)))
);
ALTER TABLE silent_move ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME silent_move_id_seq);
ALTER TABLE ONLY silent_move ADD CONSTRAINT silent_move_pkey PRIMARY KEY (id);
CREATE INDEX silent_move_board ON silent_move USING btree (challenge_id);

CREATE TABLE standing (
    challenge_id uuid NOT NULL,
    user_id identifier NOT NULL,
    value integer NOT NULL,
    rank integer NOT NULL,
    "position" integer NOT NULL,
    display_name text NOT NULL,
    photo_url text,
    last_updated timestamp with time zone NOT NULL,
    told_rank integer,
    told_value integer,
    told_at timestamp with time zone,
    notification_created_at timestamp with time zone,
    notification_id bigint,
    notification_from integer,
    CONSTRAINT standing_position_check CHECK (("position" > 0)),
    CONSTRAINT standing_rank_check CHECK ((rank > 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY standing ADD CONSTRAINT standing_pkey PRIMARY KEY (challenge_id, user_id);
CREATE TRIGGER standing_deleted AFTER DELETE ON standing FOR EACH ROW WHEN (((old.notification_id IS NOT NULL) AND (old.notification_created_at > (domain_now() - notification_lifetime())))) EXECUTE FUNCTION standing_deleted();

CREATE TABLE stream_ticket (
    hash bytea NOT NULL,
    content text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT stream_ticket_content_check CHECK ((octet_length(content) <= 4096)),
    CONSTRAINT stream_ticket_hash_check CHECK ((octet_length(hash) = 32))
);
ALTER TABLE ONLY stream_ticket ADD CONSTRAINT stream_ticket_pkey PRIMARY KEY (hash);
CREATE INDEX stream_ticket_end ON stream_ticket USING btree (expires_at);

CREATE TABLE table_trigger (
    name text NOT NULL COLLATE pg_catalog."C",
    program text NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    table_schema text NOT NULL,
    table_name text NOT NULL,
    columns text[] NOT NULL,
    operations text[] NOT NULL,
    sha256 text NOT NULL,
    bodies text[] NOT NULL
);
ALTER TABLE ONLY table_trigger ADD CONSTRAINT table_trigger_pkey PRIMARY KEY (name);

CREATE TABLE usage_log (
    id bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    kind usage_kind NOT NULL,
    group_id text NOT NULL COLLATE pg_catalog."C",
    user_id identifier,
    invite_id uuid
);
ALTER TABLE usage_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME usage_log_id_seq);
ALTER TABLE ONLY usage_log ADD CONSTRAINT usage_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY usage_log ADD CONSTRAINT usage_log_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL;
CREATE INDEX usage_log_joined ON usage_log USING btree (invite_id) WHERE ((kind = 'group_joined'::usage_kind) AND (invite_id IS NOT NULL));
CREATE UNIQUE INDEX usage_log_preview ON usage_log USING btree (invite_id, user_id) WHERE (kind = 'invite_previewed'::usage_kind);
CREATE INDEX usage_log_time ON usage_log USING btree (recorded_at);
CREATE INDEX usage_log_user ON usage_log USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE TABLE user_block (
    user_id identifier NOT NULL,
    blocked_user identifier NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT user_block_another CHECK (((user_id)::text <> (blocked_user)::text))
);
ALTER TABLE ONLY user_block ADD CONSTRAINT user_block_pkey PRIMARY KEY (user_id, blocked_user);
ALTER TABLE ONLY user_block ADD CONSTRAINT user_block_blocked_user_fkey FOREIGN KEY (blocked_user) REFERENCES users(id) ON DELETE CASCADE;
ALTER TABLE ONLY user_block ADD CONSTRAINT user_block_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
CREATE INDEX user_block_blocked ON user_block USING btree (blocked_user, user_id);

CREATE SEQUENCE user_number START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

CREATE TABLE user_report (
    id uuid NOT NULL,
    reporter identifier,
    reported identifier NOT NULL,
    group_id identifier NOT NULL,
    reason report_reason NOT NULL,
    note text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    closed_by text,
    CONSTRAINT user_report_closed CHECK (((closed_at IS NULL) = (closed_by IS NULL))),
    CONSTRAINT user_report_note_check CHECK ((char_length(note) <= 1000))
);
ALTER TABLE ONLY user_report ADD CONSTRAINT user_report_pkey PRIMARY KEY (id);
ALTER TABLE ONLY user_report ADD CONSTRAINT user_report_reported_fkey FOREIGN KEY (reported) REFERENCES users(id);
ALTER TABLE ONLY user_report ADD CONSTRAINT user_report_reporter_fkey FOREIGN KEY (reporter) REFERENCES users(id);
CREATE INDEX user_report_age ON user_report USING btree (created_at, id);
CREATE INDEX user_report_open ON user_report USING btree (created_at, id) WHERE (closed_at IS NULL);
CREATE INDEX user_report_reported ON user_report USING btree (reported);
CREATE INDEX user_report_reporter ON user_report USING btree (reporter, created_at) WHERE (reporter IS NOT NULL);

CREATE TABLE users (
    id identifier NOT NULL,
    display_name text NOT NULL,
    asks_for_name boolean DEFAULT false NOT NULL,
    email text,
    photo_url text,
    auth_provider auth_provider DEFAULT 'email'::auth_provider NOT NULL,
    time_zone text,
    time_zone_changed_at timestamp with time zone,
    shares_workouts boolean DEFAULT true NOT NULL,
    consented_at timestamp with time zone DEFAULT domain_now() NOT NULL,
    has_paused boolean DEFAULT false NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT domain_now() NOT NULL,
    CONSTRAINT users_time_zone CHECK (((time_zone ~ '^[A-Za-z0-9_/+-]{1,64}$'::text) AND ((EXTRACT(epoch FROM (('2020-01-14 19:00:00-05'::timestamp with time zone AT TIME ZONE time_zone) - '2020-01-15 00:00:00'::timestamp without time zone)) >= ('-43200'::integer)::numeric) AND (EXTRACT(epoch FROM (('2020-01-14 19:00:00-05'::timestamp with time zone AT TIME ZONE time_zone) - '2020-01-15 00:00:00'::timestamp without time zone)) <= (50400)::numeric)) AND ((EXTRACT(epoch FROM (('2020-07-14 20:00:00-04'::timestamp with time zone AT TIME ZONE time_zone) - '2020-07-15 00:00:00'::timestamp without time zone)) >= ('-43200'::integer)::numeric) AND (EXTRACT(epoch FROM (('2020-07-14 20:00:00-04'::timestamp with time zone AT TIME ZONE time_zone) - '2020-07-15 00:00:00'::timestamp without time zone)) <= (50400)::numeric))))
);
ALTER TABLE ONLY users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX user_display_name ON users USING btree (display_name, id);
CREATE TRIGGER user_changed AFTER UPDATE OF display_name, photo_url, time_zone, shares_workouts ON users FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION user_changed();
CREATE TRIGGER user_changing BEFORE UPDATE OF display_name, photo_url, time_zone, shares_workouts ON users FOR EACH ROW WHEN (((((old.display_name IS DISTINCT FROM new.display_name) OR (old.photo_url IS DISTINCT FROM new.photo_url)) OR (old.time_zone IS DISTINCT FROM new.time_zone)) OR (old.shares_workouts IS DISTINCT FROM new.shares_workouts))) EXECUTE FUNCTION user_changing();

CREATE TABLE week_reopening (
    id bigint NOT NULL,
    group_id text NOT NULL COLLATE pg_catalog."C",
    week_start date NOT NULL,
    reason text NOT NULL,
    reopened_by text NOT NULL,
    reopened_at timestamp with time zone NOT NULL,
    reopened_until timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    CONSTRAINT week_reopening_reason_check CHECK ((reason <> ''::text))
);
ALTER TABLE week_reopening ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME week_reopening_id_seq);
ALTER TABLE ONLY week_reopening ADD CONSTRAINT week_reopening_pkey PRIMARY KEY (id);
CREATE INDEX week_reopening_week ON week_reopening USING btree (week_start, group_id);

CREATE TABLE worker (
    id uuid NOT NULL,
    name text NOT NULL,
    is_direct boolean NOT NULL,
    listens boolean DEFAULT false NOT NULL,
    pid integer NOT NULL,
    backend_start timestamp with time zone,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    missing_since timestamp with time zone,
    heartbeat_at timestamp with time zone DEFAULT now() NOT NULL,
    common_failures common_failure[] DEFAULT '{}'::common_failure[] NOT NULL,
    performs_effects boolean DEFAULT false NOT NULL,
    held_at_death bigint,
    awaits_lease boolean DEFAULT false NOT NULL,
    dispatcher_pid integer,
    dispatcher_start timestamp with time zone,
    program text,
    release integer,
    fingerprint text,
    jobs text[] COLLATE pg_catalog."C"
);
ALTER TABLE ONLY worker ADD CONSTRAINT worker_pkey PRIMARY KEY (id);

CREATE TABLE worker_death (
    worker uuid NOT NULL,
    was_trial boolean NOT NULL,
    died_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY worker_death ADD CONSTRAINT worker_death_pkey PRIMARY KEY (worker);

CREATE TABLE workout (
    user_id identifier NOT NULL,
    workout_id identifier NOT NULL,
    sent_performed_at timestamp with time zone,
    sent_utc_offset_s integer,
    revision integer NOT NULL,
    group_id identifier,
    performed_at timestamp with time zone NOT NULL,
    utc_offset_s integer NOT NULL,
    local_date date NOT NULL,
    week_start date NOT NULL,
    counted boolean NOT NULL,
    outcome workout_outcome NOT NULL,
    reason text,
    received_at timestamp with time zone NOT NULL,
    missed_board boolean DEFAULT false NOT NULL,
    is_deleted boolean DEFAULT false NOT NULL,
    CONSTRAINT workout_performed_at_check CHECK (isfinite(performed_at)),
    CONSTRAINT workout_utc_offset_s_check CHECK (((utc_offset_s >= '-43200'::integer) AND (utc_offset_s <= 50400))),
    CONSTRAINT workout_week_start_check CHECK ((EXTRACT(isodow FROM week_start) = (1)::numeric))
);
ALTER TABLE ONLY workout ADD CONSTRAINT workout_pkey PRIMARY KEY (user_id, workout_id);
ALTER TABLE ONLY workout ADD CONSTRAINT workout_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
CREATE INDEX workout_age ON workout USING btree (received_at);
CREATE INDEX workout_local_date ON workout USING btree (user_id, local_date);
CREATE TRIGGER workout_deleted AFTER DELETE ON workout REFERENCING OLD TABLE AS old_row FOR EACH STATEMENT EXECUTE FUNCTION workout_deleted();
CREATE TRIGGER workout_updated AFTER UPDATE OF revision ON workout FOR EACH ROW WHEN ((old.revision <> new.revision)) EXECUTE FUNCTION workout_updated();

CREATE TABLE workout_day (
    user_id identifier NOT NULL,
    group_id identifier NOT NULL,
    local_date date NOT NULL,
    week_start date NOT NULL,
    workouts integer NOT NULL,
    first_at timestamp with time zone NOT NULL,
    first_offset_s integer NOT NULL,
    last_at timestamp with time zone NOT NULL,
    last_offset_s integer NOT NULL,
    streak integer DEFAULT 0 NOT NULL,
    CONSTRAINT workout_day_workouts_check CHECK ((workouts > 0))
)
WITH (fillfactor='80');
ALTER TABLE ONLY workout_day ADD CONSTRAINT workout_day_pkey PRIMARY KEY (user_id, group_id, local_date, week_start);

CREATE TABLE workout_revision (
    user_id identifier NOT NULL,
    workout_id identifier NOT NULL,
    revision integer NOT NULL,
    group_id identifier,
    performed_at timestamp with time zone NOT NULL,
    utc_offset_s integer NOT NULL,
    local_date date NOT NULL,
    week_start date NOT NULL,
    counted boolean NOT NULL,
    outcome workout_outcome NOT NULL,
    reason text,
    missed_board boolean NOT NULL,
    is_deleted boolean NOT NULL,
    received_at timestamp with time zone NOT NULL,
    superseded_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY workout_revision ADD CONSTRAINT workout_revision_pkey PRIMARY KEY (user_id, workout_id, revision);
ALTER TABLE ONLY workout_revision ADD CONSTRAINT workout_revision_user_id_workout_id_fkey FOREIGN KEY (user_id, workout_id) REFERENCES workout(user_id, workout_id) ON DELETE CASCADE;
CREATE INDEX workout_revision_age ON workout_revision USING btree (superseded_at);
