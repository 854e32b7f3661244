-- Generated; do not edit. Renew it with: BATON_GOLDEN=write Tests/run --filter GoldenSchemaTests
--
-- The schema of a fresh `baton migrate`: what the runner's migrations and files and those of the product
-- come to. Dumped by PostgreSQL 15, put in order by GoldenSchemaTests; no program reads it.

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

CREATE TYPE rank_policy AS ENUM (
    'competition',
    'unique',
    'dense'
);

CREATE TYPE run_state AS ENUM (
    'ready',
    'running'
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

CREATE TABLE board_version (
    challenge_id uuid NOT NULL,
    rank_version bigint DEFAULT 0 NOT NULL,
    is_told boolean DEFAULT false NOT NULL
)
WITH (fillfactor='70');
ALTER TABLE ONLY board_version ADD CONSTRAINT board_version_pkey PRIMARY KEY (challenge_id);
CREATE INDEX board_version_untold ON board_version USING btree (challenge_id) WHERE (NOT is_told);

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
    first_event_at timestamp with time zone
);
ALTER TABLE ONLY dead_run ADD CONSTRAINT dead_run_pkey PRIMARY KEY (id);
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
    id bigint NOT NULL,
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
ALTER TABLE event_0 ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME event_0_id_seq);
ALTER TABLE ONLY event_0 ADD CONSTRAINT event_0_pkey PRIMARY KEY (id);
CREATE INDEX event_0_xact ON event_0 USING btree (xact);

CREATE TABLE event_1 (
    id bigint NOT NULL,
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
ALTER TABLE event_1 ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME event_1_id_seq);
ALTER TABLE ONLY event_1 ADD CONSTRAINT event_1_pkey PRIMARY KEY (id);
CREATE INDEX event_1_xact_idx ON event_1 USING btree (xact);

CREATE TABLE event_2 (
    id bigint NOT NULL,
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
ALTER TABLE event_2 ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME event_2_id_seq);
ALTER TABLE ONLY event_2 ADD CONSTRAINT event_2_pkey PRIMARY KEY (id);
CREATE INDEX event_2_xact_idx ON event_2 USING btree (xact);

CREATE TABLE event_cursor (
    singleton boolean DEFAULT true NOT NULL,
    CONSTRAINT event_cursor_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY event_cursor ADD CONSTRAINT event_cursor_pkey PRIMARY KEY (singleton);

CREATE TABLE event_position (
    id bigint NOT NULL,
    snapshot pg_snapshot NOT NULL,
    epoch bigint NOT NULL,
    set_by xid8 DEFAULT pg_current_xact_id() NOT NULL
);
ALTER TABLE event_position ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME event_position_id_seq);
ALTER TABLE ONLY event_position ADD CONSTRAINT event_position_pkey PRIMARY KEY (id);

CREATE TABLE event_segment (
    singleton boolean DEFAULT true NOT NULL,
    current smallint NOT NULL,
    rotated_at timestamp with time zone DEFAULT now() NOT NULL,
    has_listener boolean DEFAULT false NOT NULL,
    may_wake boolean DEFAULT true NOT NULL,
    CONSTRAINT event_segment_current_check CHECK (((current >= 0) AND (current <= 2))),
    CONSTRAINT event_segment_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY event_segment ADD CONSTRAINT event_segment_pkey PRIMARY KEY (singleton);

CREATE TABLE failed_attempt (
    id bigint NOT NULL,
    run_id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    attempt integer NOT NULL,
    worker text,
    began_at timestamp with time zone,
    ended_at timestamp with time zone NOT NULL,
    error text NOT NULL
);
ALTER TABLE failed_attempt ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME failed_attempt_id_seq);
ALTER TABLE ONLY failed_attempt ADD CONSTRAINT failed_attempt_pkey PRIMARY KEY (id);
CREATE INDEX failed_attempt_ended ON failed_attempt USING btree (ended_at);
CREATE INDEX failed_attempt_run ON failed_attempt USING btree (run_id);

CREATE TABLE groups (
    id identifier NOT NULL,
    name text NOT NULL,
    max_members integer DEFAULT 10 NOT NULL,
    member_count integer DEFAULT 0 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT domain_now() NOT NULL,
    created_by identifier,
    deleted_by identifier,
    CONSTRAINT group_full CHECK (((member_count >= 0) AND (member_count <= max_members))),
    CONSTRAINT group_inactive CHECK ((is_active OR (member_count = 0))),
    CONSTRAINT groups_max_members_check CHECK (((max_members >= 1) AND (max_members <= 1000)))
);
ALTER TABLE ONLY groups ADD CONSTRAINT groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY groups ADD CONSTRAINT groups_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);
ALTER TABLE ONLY groups ADD CONSTRAINT groups_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES users(id);
CREATE INDEX group_creator ON groups USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX group_deleter ON groups USING btree (deleted_by) WHERE (deleted_by IS NOT NULL);
CREATE TRIGGER group_counted AFTER UPDATE OF member_count ON groups FOR EACH ROW WHEN ((old.member_count <> new.member_count)) EXECUTE FUNCTION group_counted();
CREATE TRIGGER group_inserted AFTER INSERT ON groups FOR EACH ROW WHEN ((new.member_count > 0)) EXECUTE FUNCTION group_counted();

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
CREATE INDEX invite_creator ON invite USING btree (created_by);
CREATE INDEX invite_end ON invite USING btree (expires_at);
CREATE INDEX invite_group ON invite USING btree (group_id);

CREATE TABLE invite_attempt (
    user_id identifier NOT NULL,
    began_at timestamp with time zone NOT NULL,
    attempts integer NOT NULL,
    CONSTRAINT invite_attempt_attempts_check CHECK ((attempts >= 0))
);
ALTER TABLE ONLY invite_attempt ADD CONSTRAINT invite_attempt_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY invite_attempt ADD CONSTRAINT invite_attempt_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

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
    CONSTRAINT job_limit_burst_check CHECK ((burst > 0)),
    CONSTRAINT job_limit_check CHECK (((start_interval IS NULL) = (burst IS NULL))),
    CONSTRAINT job_limit_check1 CHECK (((group_separator IS NULL) = (group_part IS NULL))),
    CONSTRAINT job_limit_concurrency_check CHECK ((concurrency > 0)),
    CONSTRAINT job_limit_group_concurrency_check CHECK ((group_concurrency > 0)),
    CONSTRAINT job_limit_group_part_check CHECK ((group_part > 0)),
    CONSTRAINT job_limit_start_interval_check CHECK ((start_interval > '00:00:00'::interval))
);
ALTER TABLE ONLY job_limit ADD CONSTRAINT job_limit_pkey PRIMARY KEY (job);

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
    applied_at timestamp with time zone DEFAULT now() NOT NULL
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
-- notification_N for N = 0 to 15, 16 partitions: each has its parent's columns, and ALTER INDEX notification_pkey ATTACH PARTITION notification_N_pkey; ALTER INDEX notification_user ATTACH PARTITION notification_N_user_id_created_at_idx; ALTER TABLE ONLY notification ATTACH PARTITION notification_N FOR VALUES IN ('N'); ALTER TABLE ONLY notification_N ADD CONSTRAINT notification_N_pkey PRIMARY KEY (partition, created_at, id); CREATE INDEX notification_N_user_id_created_at_idx ON notification_N USING btree (user_id, created_at); CREATE TABLE notification_N () WITH (fillfactor='90')

CREATE TABLE occurrence (
    job text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    scheduled_at timestamp with time zone NOT NULL,
    fired_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    CONSTRAINT occurrence_outcome_check CHECK ((outcome = ANY (ARRAY['fired'::text, 'skipped'::text, 'backfilled'::text])))
);
ALTER TABLE ONLY occurrence ADD CONSTRAINT occurrence_pkey PRIMARY KEY (job, name, scheduled_at);

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
    week_start date NOT NULL
);
ALTER TABLE refused_edit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME refused_edit_id_seq);
ALTER TABLE ONLY refused_edit ADD CONSTRAINT refused_edit_call UNIQUE NULLS NOT DISTINCT (user_id, workout_id, revision, sent_performed_at, sent_utc_offset_s, is_deletion);
ALTER TABLE ONLY refused_edit ADD CONSTRAINT refused_edit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY refused_edit ADD CONSTRAINT refused_edit_user_id_workout_id_fkey FOREIGN KEY (user_id, workout_id) REFERENCES workout(user_id, workout_id) ON DELETE CASCADE;

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
    replaces boolean,
    priority smallint DEFAULT 5 NOT NULL,
    group_key text COLLATE pg_catalog."C",
    is_held boolean DEFAULT false NOT NULL,
    origin text COLLATE pg_catalog."C",
    trace text COLLATE pg_catalog."C",
    crashed_at timestamp with time zone[],
    CONSTRAINT run_check CHECK ((((first_event_at IS NOT NULL) AND (last_event_at IS NOT NULL)) OR (run_at IS NOT NULL))),
    CONSTRAINT run_check1 CHECK (((state = 'running'::run_state) = ((token IS NOT NULL) AND (worker IS NOT NULL)))),
    CONSTRAINT run_check2 CHECK (((NOT is_held) OR ((state = 'ready'::run_state) AND (batch_limit = 0) AND (group_key IS NOT NULL)))),
    CONSTRAINT run_priority_check CHECK (((priority >= 1) AND (priority <= 9)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_cost_delay='0', vacuum_truncate=off);
ALTER TABLE run ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME run_id_seq);
ALTER TABLE ONLY run ADD CONSTRAINT run_pkey PRIMARY KEY (job, key, state);
CREATE INDEX run_backoff ON run USING btree (job, backoff_until) WHERE ((state = 'ready'::run_state) AND (backoff_until IS NOT NULL));
CREATE INDEX run_held ON run USING btree (job, group_key, priority, due) WHERE is_held;
CREATE INDEX run_limited ON run USING btree (job, group_key) WHERE ((state = 'running'::run_state) AND (group_key IS NOT NULL));
CREATE INDEX run_ready ON run USING btree (job, batch_limit, priority, due) WHERE ((state = 'ready'::run_state) AND (NOT is_held));
CREATE INDEX run_running ON run USING btree (worker) WHERE (worker IS NOT NULL);

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
    id bigint NOT NULL,
    job text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    payload jsonb NOT NULL,
    taken_by bigint
);
ALTER TABLE run_payload ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME run_payload_id_seq);
ALTER TABLE ONLY run_payload ADD CONSTRAINT run_payload_pkey PRIMARY KEY (job, key, id);
CREATE INDEX run_payload_taken_by ON run_payload USING btree (taken_by) WHERE (taken_by IS NOT NULL);

CREATE TABLE runner_setting (
    singleton boolean DEFAULT true NOT NULL,
    run_history_age interval DEFAULT '7 days'::interval NOT NULL,
    dead_run_age interval DEFAULT '30 days'::interval NOT NULL,
    CONSTRAINT runner_setting_dead_run_age_check CHECK ((dead_run_age >= '1 day'::interval)),
    CONSTRAINT runner_setting_run_history_age_check CHECK (((run_history_age >= '1 day'::interval) AND (run_history_age <= '14 days'::interval))),
    CONSTRAINT runner_setting_singleton_check CHECK (singleton)
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
    CONSTRAINT schedule_missed_check CHECK ((missed = ANY (ARRAY['skip'::text, 'once'::text, 'all'::text])))
);
ALTER TABLE ONLY schedule ADD CONSTRAINT schedule_pkey PRIMARY KEY (job, name);

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
    CONSTRAINT setting_analytics_age_check CHECK ((analytics_age >= '1 day'::interval)),
    CONSTRAINT setting_beta_share_check CHECK (((beta_share >= 0) AND (beta_share <= 100))),
    CONSTRAINT setting_board_age_check CHECK ((board_age >= '7 days'::interval)),
    CONSTRAINT setting_client_events_a_day_check CHECK ((client_events_a_day >= 0)),
    CONSTRAINT setting_grace_check CHECK (((grace >= '00:00:00'::interval) AND (grace <= '12:00:00'::interval))),
    CONSTRAINT setting_invite_age_check CHECK (((invite_age > '00:00:00'::interval) AND (invite_age <= '366 days'::interval))),
    CONSTRAINT setting_invite_attempts_check CHECK ((invite_attempts > 0)),
    CONSTRAINT setting_max_checkins_per_day_check CHECK ((max_checkins_per_day >= 0)),
    CONSTRAINT setting_notification_age_check CHECK (((notification_age >= '7 days'::interval) AND (notification_age <= '14 days'::interval))),
    CONSTRAINT setting_rank_change_cooldown_check CHECK ((rank_change_cooldown >= '00:00:00'::interval)),
    CONSTRAINT setting_rank_change_daily_cap_check CHECK ((rank_change_daily_cap >= 0)),
    CONSTRAINT setting_singleton_check CHECK (singleton)
);
ALTER TABLE ONLY setting ADD CONSTRAINT setting_pkey PRIMARY KEY (singleton);
CREATE TRIGGER grace_changed AFTER UPDATE OF grace ON setting FOR EACH ROW EXECUTE FUNCTION grace_changed();

CREATE TABLE sharing_pause (
    user_id identifier NOT NULL,
    began_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT sharing_pause_check CHECK ((ended_at >= began_at))
);
ALTER TABLE ONLY sharing_pause ADD CONSTRAINT sharing_pause_pkey PRIMARY KEY (user_id, began_at);
ALTER TABLE ONLY sharing_pause ADD CONSTRAINT sharing_pause_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

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
CREATE UNIQUE INDEX usage_log_preview ON usage_log USING btree (invite_id, user_id) WHERE (kind = 'invite_previewed'::usage_kind);
CREATE INDEX usage_log_time ON usage_log USING btree (recorded_at);
CREATE INDEX usage_log_user ON usage_log USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE SEQUENCE user_number START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

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
    heartbeat_at timestamp with time zone DEFAULT now() NOT NULL
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
CREATE INDEX workout_date ON workout USING btree (user_id, local_date) WHERE counted;
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

-- Views

CREATE VIEW awaited_run WITH (security_invoker='true') AS
 SELECT run.job,
    run.key,
    run.state,
    run.backoff_until
   FROM run
  WHERE ((run.state = 'running'::run_state) OR (run.first_event_at IS NOT NULL) OR (run.run_at <= domain_now()));

CREATE VIEW dead_worker WITH (security_invoker='true') AS
 SELECT w.id
   FROM worker w
  WHERE ((w.heartbeat_at < (now() - '00:00:18'::interval)) OR ((w.missing_since < (now() - '00:00:00.2'::interval)) AND (w.id IN ( SELECT missing_worker.id
           FROM missing_worker))));

CREATE VIEW due_run WITH (security_invoker='true') AS
 SELECT w.ctid AS place,
    w.id,
    w.job,
    w.key,
    w.payload,
    w.attempt,
    w.due,
    LEAST(w.first_event_at, w.asked_at) AS first_event_at,
    w.batch_limit,
    w.priority,
    w.group_key,
    w.origin,
    (( SELECT true
           FROM run b
          WHERE ((b.job = w.job) AND (b.key = w.key) AND (b.state = 'running'::run_state))) IS NULL) AS is_free
   FROM run w
  WHERE ((w.state = 'ready'::run_state) AND (NOT w.is_held) AND (w.due <= now()));

CREATE VIEW due_week WITH (security_invoker='true') AS
 SELECT moment.at,
    ((((moment.at - in_seconds(setting.grace)) AT TIME ZONE 'UTC'::text))::date - 7) AS last_week
   FROM setting,
    ( SELECT domain_now() AS at) moment
 LIMIT 1;

CREATE VIEW event WITH (security_invoker='true') AS
 SELECT 0 AS segment,
    event_0.id,
    event_0.xact,
    event_0.topic,
    event_0.key,
    event_0.payload,
    event_0.recorded_at,
    event_0.run_id,
    event_0.run_at,
    event_0.replaces,
    event_0.priority,
    event_0.origin,
    event_0.trace
   FROM event_0
UNION ALL
 SELECT 1 AS segment,
    event_1.id,
    event_1.xact,
    event_1.topic,
    event_1.key,
    event_1.payload,
    event_1.recorded_at,
    event_1.run_id,
    event_1.run_at,
    event_1.replaces,
    event_1.priority,
    event_1.origin,
    event_1.trace
   FROM event_1
UNION ALL
 SELECT 2 AS segment,
    event_2.id,
    event_2.xact,
    event_2.topic,
    event_2.key,
    event_2.payload,
    event_2.recorded_at,
    event_2.run_id,
    event_2.run_at,
    event_2.replaces,
    event_2.priority,
    event_2.origin,
    event_2.trace
   FROM event_2;

CREATE VIEW event_target WITH (security_invoker='true') AS
 SELECT s.current,
    s.lock_key,
    s.may_wake,
        CASE
            WHEN (s.has_listener AND s.may_wake) THEN s.lock_key
            ELSE NULL::bigint
        END AS wake_key
   FROM ( SELECT event_segment.current,
            event_segment.has_listener,
            (event_segment.may_wake AND (current_setting('max_prepared_transactions'::text) = '0'::text)) AS may_wake,
            (((1650553967)::bigint << 32) | (event_segment.tableoid)::bigint) AS lock_key
           FROM event_segment) s;

CREATE VIEW event_trigger WITH (security_invoker='true') AS
 SELECT ((t.tgrelid)::regclass)::text AS relation,
    (t.tgname)::text AS name,
    convert_from(substr(t.tgargs, 1, (POSITION(('\x00'::bytea) IN (t.tgargs)) - 1)), 'UTF8'::name) AS topic,
    (t.tgenabled = ANY (ARRAY['O'::"char", 'A'::"char"])) AS is_enabled
   FROM (pg_trigger t
     JOIN pg_class c ON ((c.oid = t.tgrelid)))
  WHERE ((t.tgnargs > 0) AND (NOT t.tgisinternal) AND (c.relnamespace = (("current_schema"())::regnamespace)::oid));

CREATE VIEW expired_attempt WITH (security_invoker='true') AS
 SELECT a.id,
    a.ended_at
   FROM failed_attempt a
  WHERE ((a.ended_at < cutoff_of(( SELECT runner_setting.run_history_age
           FROM runner_setting))) AND (NOT (EXISTS ( SELECT
           FROM run r
          WHERE ((r.job = a.job) AND (r.key = a.key) AND ((r.id = a.run_id) OR (a.run_id = ANY (r.earlier_ids))))))) AND (NOT (EXISTS ( SELECT
           FROM dead_run d
          WHERE ((d.job = a.job) AND (d.key = a.key) AND ((d.id = a.run_id) OR (a.run_id = ANY (d.earlier_ids))))))));

CREATE VIEW free_payload WITH (security_invoker='true') AS
 SELECT p.job,
    p.key,
    p.id,
    p.payload
   FROM run_payload p
  WHERE ((p.taken_by IS NULL) OR ((NOT (EXISTS ( SELECT
           FROM run r
          WHERE ((r.job = p.job) AND (r.key = p.key) AND (r.state = 'running'::run_state) AND (r.id = p.taken_by))))) AND (NOT (EXISTS ( SELECT
           FROM dead_run d
          WHERE (d.id = p.taken_by))))));

CREATE VIEW leaderboard WITH (security_invoker='true') AS
 SELECT c.group_id,
    c.week_start,
    c.type,
    s.challenge_id,
    s.user_id,
    s.display_name,
    s.photo_url,
    s.value,
    s.rank,
    s."position",
    s.last_updated
   FROM (standing s
     JOIN challenge c ON ((c.id = s.challenge_id)))
UNION ALL
 SELECT c.group_id,
    c.week_start,
    c.type,
    c.id AS challenge_id,
    m.user_id,
    u.display_name,
    u.photo_url,
    0 AS value,
    (
        CASE
            CASE c.type
                WHEN 'check-ins'::challenge_type THEN p.check_ins_rank
                ELSE p.streak_rank
            END
            WHEN 'competition'::rank_policy THEN ((last."position" + 1))::bigint
            WHEN 'dense'::rank_policy THEN ((last.rank + 1))::bigint
            ELSE (last."position" + row_number() OVER board)
        END)::integer AS rank,
    ((last."position" + row_number() OVER board))::integer AS "position",
    m.joined_at AS last_updated
   FROM ((((challenge c
     JOIN member m ON ((((m.group_id)::text = (c.group_id)::text) AND (m.joined_at < c.ends_at) AND ((m.left_at IS NULL) OR ((c.state = 'closed'::challenge_state) AND (m.left_at >= c.ends_at))))))
     JOIN users u ON ((((u.id)::text = (m.user_id)::text) AND u.shares_workouts)))
     CROSS JOIN setting p)
     CROSS JOIN LATERAL ( SELECT COALESCE(max(s.rank), 0) AS rank,
            COALESCE(max(s."position"), 0) AS "position"
           FROM standing s
          WHERE (s.challenge_id = c.id)) last)
  WHERE (( SELECT setting.include_zero
           FROM setting) AND (c.state <> 'cancelled'::challenge_state) AND (NOT (EXISTS ( SELECT
           FROM standing s
          WHERE ((s.challenge_id = c.id) AND ((s.user_id)::text = (m.user_id)::text))))))
  WINDOW board AS (PARTITION BY c.group_id, c.week_start, c.type, c.id ORDER BY m.joined_at, m.user_id);

CREATE VIEW missing_worker WITH (security_invoker='true') AS
 SELECT w.id
   FROM worker w
  WHERE (w.is_direct AND (NOT (EXISTS ( SELECT
           FROM pg_stat_get_activity(w.pid) a(datid, pid, usesysid, application_name, state, query, wait_event_type, wait_event, xact_start, query_start, backend_start, state_change, client_addr, client_hostname, client_port, backend_xid, backend_xmin, backend_type, ssl, sslversion, sslcipher, sslbits, ssl_client_dn, ssl_client_serial, ssl_issuer_dn, gss_auth, gss_princ, gss_enc, leader_pid, query_id)
          WHERE ((a.backend_start IS NULL) OR (a.backend_start = w.backend_start))))));

CREATE VIEW own_position WITH (security_invoker='true') AS
 SELECT p.id,
    p.snapshot
   FROM (( SELECT event_position.id,
            event_position.snapshot,
            event_position.epoch,
            event_position.set_by,
            event_position.xmin AS written_by
           FROM event_position
          ORDER BY event_position.id DESC
         LIMIT 1) p
     JOIN pg_control_system() c(pg_control_version, catalog_version_no, system_identifier, pg_control_last_modified) ON ((c.system_identifier = p.epoch)))
  WHERE (p.written_by = (p.set_by)::xid);

CREATE VIEW pending_key WITH (security_invoker='true') AS
 SELECT unfolded_event.topic,
    NULL::text AS job,
    unfolded_event.key,
    'event'::text AS kind
   FROM unfolded_event
UNION ALL
 SELECT NULL::text AS topic,
    run.job,
    run.key,
    'run'::text AS kind
   FROM run
UNION ALL
 SELECT NULL::text AS topic,
    dead_run.job,
    dead_run.key,
    'dead run'::text AS kind
   FROM dead_run;

CREATE VIEW table_trigger_fault WITH (security_invoker='true') AS
 WITH declared AS (
         SELECT t.name,
            t.program,
            t.job,
            t.table_schema,
            t.table_name,
            t.columns,
            t.operations,
            t.sha256,
            t.bodies,
            c.oid AS relation,
            (
                CASE
                    WHEN (t.table_schema = "current_schema"()) THEN ''::text
                    ELSE (t.table_schema || '.'::text)
                END || t.table_name) AS table_text,
            ARRAY( SELECT u.name
                   FROM unnest(t.columns) u(name)
                  WHERE (NOT (EXISTS ( SELECT
                           FROM pg_attribute a
                          WHERE ((a.attrelid = c.oid) AND (a.attname = (u.name)::name) AND (NOT a.attisdropped)))))) AS missing
           FROM (table_trigger t
             LEFT JOIN pg_class c ON ((c.oid = (to_regclass(format('%I.%I'::text, t.table_schema, t.table_name)))::oid)))
        )
 SELECT d.name,
    d.job,
    (((('the table '::text || d.table_text) || ', which wakes job '::text) || d.job) || ', is not there'::text) AS fault
   FROM declared d
  WHERE (d.relation IS NULL)
UNION ALL
 SELECT d.name,
    d.job,
    (((((('the table '::text || d.table_text) || ' has no column '::text) || d.missing[1]) || ', which the trigger of job '::text) || d.job) || ' reads: its writes fail'::text) AS fault
   FROM declared d
  WHERE ((d.relation IS NOT NULL) AND (d.missing <> '{}'::text[]))
UNION ALL
 SELECT d.name,
    d.job,
    (((((('the trigger '::text || s.trigger) || ' on '::text) || d.table_text) || ' of job '::text) || d.job) ||
        CASE
            WHEN (NOT s.is_there) THEN ' is missing'::text
            WHEN (NOT s.is_enabled) THEN ' is disabled'::text
            ELSE ' is another'::text
        END) AS fault
   FROM (declared d
     JOIN table_trigger_state s USING (name))
  WHERE ((d.relation IS NOT NULL) AND (NOT s.is_right))
UNION ALL
 SELECT d.name,
    d.job,
    (((('the function '::text || s.trigger) || ' of job '::text) || d.job) || ' is another'::text) AS fault
   FROM (declared d
     JOIN table_trigger_state s USING (name))
  WHERE ((d.relation IS NOT NULL) AND s.is_right AND (NOT s.is_function_right))
UNION ALL
 SELECT d.name,
    d.job,
    (((('the view '::text || d.name) || ' of job '::text) || d.job) || ' is missing: columns that it reads can be dropped'::text) AS fault
   FROM declared d
  WHERE ((d.relation IS NOT NULL) AND (d.missing = '{}'::text[]) AND (NOT (EXISTS ( SELECT
           FROM pg_class v
          WHERE ((v.relnamespace = (("current_schema"())::regnamespace)::oid) AND (v.relname = (d.name)::name) AND (v.relkind = 'v'::"char"))))));

CREATE VIEW table_trigger_state WITH (security_invoker='true') AS
 SELECT d.name,
    o.operation,
    ((d.name || '_'::text) || o.operation) AS trigger,
    (t.oid IS NOT NULL) AS is_there,
    (t.tgenabled = ANY (ARRAY['O'::"char", 'A'::"char"])) AS is_enabled,
    ((f.oid IS NOT NULL) AND (encode(sha256(convert_to(f.prosrc, 'UTF8'::name)), 'hex'::text) = d.bodies[o.place]) AND f.prosecdef) AS is_function_right,
    COALESCE(((t.tgenabled = ANY (ARRAY['O'::"char", 'A'::"char"])) AND (t.tgfoid = f.oid) AND (t.tgqual IS NULL) AND (t.tgtype =
        CASE o.operation
            WHEN 'insert'::text THEN 4
            WHEN 'delete'::text THEN 8
            ELSE 16
        END)), false) AS is_right
   FROM (((table_trigger d
     CROSS JOIN LATERAL unnest(d.operations) WITH ORDINALITY o(operation, place))
     LEFT JOIN pg_proc f ON (((f.pronamespace = (("current_schema"())::regnamespace)::oid) AND (f.proname = (((d.name || '_'::text) || o.operation))::name))))
     LEFT JOIN pg_trigger t ON (((t.tgrelid = (to_regclass(format('%I.%I'::text, d.table_schema, d.table_name)))::oid) AND (t.tgname = (((d.name || '_'::text) || o.operation))::name))));

CREATE VIEW unfolded_event WITH (security_invoker='true') AS
 WITH "position" AS MATERIALIZED (
         SELECT event_position.snapshot
           FROM event_position
          ORDER BY event_position.id DESC
         LIMIT 1
        )
 SELECT event.segment,
    event.id,
    event.xact,
    event.topic,
    event.key,
    event.payload,
    event.recorded_at,
    event.run_id,
    event.run_at,
    event.replaces,
    event.priority,
    event.origin,
    event.trace
   FROM event
  WHERE (event.xact >= ( SELECT pg_snapshot_xmax("position".snapshot) AS pg_snapshot_xmax
           FROM "position"))
UNION ALL
 SELECT event.segment,
    event.id,
    event.xact,
    event.topic,
    event.key,
    event.payload,
    event.recorded_at,
    event.run_id,
    event.run_at,
    event.replaces,
    event.priority,
    event.origin,
    event.trace
   FROM event
  WHERE (event.xact = ANY (ARRAY( SELECT pg_snapshot_xip("position".snapshot) AS pg_snapshot_xip
           FROM "position")));

CREATE VIEW visible_notification WITH (security_invoker='true') AS
 SELECT n.partition,
    n.created_at,
    n.id,
    n.user_id,
    n.group_id,
    n.type,
    n.challenge_id,
        CASE
            WHEN (n.type = 'week_ended'::notification_type) THEN (COALESCE(( SELECT w.content
               FROM closed_week w
              WHERE ((w.group_id = n.group_id) AND (w.week_start = COALESCE(n.week_start, ((n.content ->> 'week_start'::text))::date)))), '{}'::jsonb) ||
            CASE
                WHEN (n.scores IS NULL) THEN n.content
                ELSE week_ended_content(n.week_start, n.scores)
            END)
            ELSE n.content
        END AS content,
    n.is_read,
    n.changed_at
   FROM notification n
  WHERE (n.created_at > (domain_now() - notification_lifetime()));

CREATE VIEW waiting_schedule WITH (security_invoker='true') AS
 SELECT s.job,
    s.name,
    s.next_at,
    s.expression,
    s.time_zone,
    s.missed,
    ((EXTRACT(epoch FROM COALESCE(d.delay, '00:00:00'::interval)))::double precision * '00:00:01'::interval) AS delay,
    (s.next_at + ((EXTRACT(epoch FROM COALESCE(d.delay, '00:00:00'::interval)))::double precision * '00:00:01'::interval)) AS fires_at
   FROM (schedule s
     LEFT JOIN schedule_delay d USING (job))
  WHERE ((s.paused_at IS NULL) AND (s.next_at IS NOT NULL) AND (s.in_development = (EXISTS ( SELECT
           FROM development))) AND (NOT (EXISTS ( SELECT
           FROM development
          WHERE (NOT development.fires_schedules)))));

-- Functions

CREATE FUNCTION active_group_removed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  users_there text[] := array(select user_id from old_row order by user_id);
  groups_there text[] := array(select group_id from old_row order by user_id);
begin
  if exists (
    select from unnest(users_there, groups_there) o (user_id, group_id)
    join member m on m.group_id = o.group_id and m.user_id = o.user_id and m.left_at is null
    left join active_group a on a.user_id = o.user_id
    where a.group_id is distinct from o.group_id)
  then
    raise check_violation using message = 'a member keeps the group as the active one',
      hint = 'Nothing was removed. It goes when the member leaves.';
  end if;
  return null;
end $$;

CREATE FUNCTION active_group_written() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  users_there text[] := array(select user_id from new_row order by user_id);
  groups_there text[] := array(select group_id from new_row order by user_id);
begin
  if exists (
    select from unnest(users_there, groups_there) n (user_id, group_id)
    left join member m on m.group_id = n.group_id and m.user_id = n.user_id
    where m.user_id is null or m.left_at is not null)
  then
    raise check_violation using message = 'an active group needs a member who has not left',
      hint = 'Nothing was written. Who becomes a member has the group as the active one by itself.';
  end if;
  return null;
end $$;

CREATE FUNCTION actor_group() RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  actor constant text := current_actor();
begin
  return (
    select a.group_id
    from active_group a
    join member m on m.group_id = a.group_id and m.user_id = a.user_id
    where a.user_id = actor and m.left_at is null);
end $$;

COMMENT ON FUNCTION add_member(group_id text, user_id text, display_name text, photo_url text) IS 'For the server: makes somebody a member without an invite. Repeated: alreadyInGroup.';

CREATE FUNCTION add_member(group_id text, user_id text, display_name text, photo_url text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  at constant timestamptz := domain_now();
  it groups;
begin
  perform check_identity('email', user_id, display_name, null, photo_url);
  if display_name is null or trim(display_name) = '' then
    perform refuse('invalidInput', 'a member needs a name', 'Nothing was changed. Send one.');
  end if;
  it := lock_group(group_id);
  if not it.is_active then
    perform refuse_group(group_id);
  end if;
  insert into users (id, display_name, photo_url)
  values (add_member.user_id, add_member.display_name, add_member.photo_url)
  on conflict (id) do nothing;
  perform enter_group(it, user_id, at);
  insert into usage_log (recorded_at, kind, group_id, user_id)
  values (at, 'group_joined', it.id, add_member.user_id);
end $$;

CREATE FUNCTION anonymise_notifications(of_groups text[], of_user text, tombstone text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  told record;
begin
  delete from notification n where n.user_id = of_user;
  for told in
    select n.partition, n.created_at, n.id, n.type, n.content
    from notification n
    where n.user_id = any (array(
        select m.user_id::text from member m where m.group_id = any (of_groups)))
      and n.group_id = any (of_groups)
      and (n.type = 'new_member' and n.content ->> 'user' = of_user
        or n.type = 'rank_change' and n.content -> 'passed_by' ? of_user)
    order by n.created_at, n.id
    for update
  loop
    if told.type = 'new_member' then
      delete from notification n
      where n.partition = told.partition and n.created_at = told.created_at and n.id = told.id;
    else
      update notification n
      set content = n.content || jsonb_build_object(
        'passed_by', (
          select jsonb_agg(case when p.id = of_user then tombstone else p.id end order by p.n)
          from jsonb_array_elements_text(n.content -> 'passed_by') with ordinality p (id, n)),
        -- The name of the only one.
        'message', case when jsonb_array_length(n.content -> 'passed_by') = 1
          then 'A former member' || substr(n.content ->> 'message',
            strpos(n.content ->> 'message', ' passed you'))
          else n.content ->> 'message' end)
      where n.partition = told.partition and n.created_at = told.created_at and n.id = told.id;
    end if;
  end loop;
end $$;

CREATE FUNCTION anonymise_weeks(of_groups text[], of_user text, tombstone text) RETURNS void
    LANGUAGE sql
    AS $$
  update closed_week w
  set members = array_replace(w.members, of_user, tombstone),
    content = case when w.content is null then null else jsonb_set(w.content, '{boards}', (
      select jsonb_object_agg(b.key, jsonb_set(b.value, '{winners}', coalesce((
        select jsonb_agg(case when x.winner ->> 'user' = of_user
            then jsonb_build_object('user', tombstone, 'name', 'Former member')
            else x.winner end order by x.n)
        from jsonb_array_elements(b.value -> 'winners') with ordinality x (winner, n)), '[]')))
      from jsonb_each(w.content -> 'boards') b)) end
  from (
    select distinct c.group_id, c.week_start from challenge c where c.group_id = any (of_groups)) c
  where w.week_start = c.week_start and w.group_id = c.group_id and of_user = any (w.members)
$$;

CREATE FUNCTION append_events(event_topic text, keys text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  segment smallint;
  waking bigint;
begin
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key) select event_topic, k from unnest(keys) k;
  elsif segment = 1 then
    insert into event_1 (topic, key) select event_topic, k from unnest(keys) k;
  else
    insert into event_2 (topic, key) select event_topic, k from unnest(keys) k;
  end if;
  -- Held by a worker that is awake, or by a writer that wakes one: never waited for.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
end $$;

CREATE FUNCTION audit_chain_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  if (new.last_day, new.last_number, new.last_hash)
      is not distinct from (old.last_day, old.last_number, old.last_hash) then
    if new.purged_hash = coalesce(
      (select previous from audit order by day, number limit 1), new.last_hash) then
      return new;
    end if;
  elsif new.purged_hash = old.purged_hash and exists (
    select from audit a
    where (a.day, a.number, a.hash, a.previous)
      = (new.last_day, new.last_number, new.last_hash, old.last_hash)) then
    return new;
  end if;
  raise exception 'the chain of the audit is only gone on with'
    using errcode = 'ZB014', hint = 'Nothing was changed. Rows are appended by record_audit.';
end $$;

CREATE FUNCTION audit_deleted() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  newest constant date := (select max(day) from old_row);
begin
  if newest is null then
    return null;
  end if;
  if newest >= (pg_catalog.now() at time zone 'UTC')::date - 400 then
    raise exception 'the audit keeps 400 days, and % is one of them', to_char(newest::timestamp, 'YYYY-MM-DD')
      using errcode = 'ZB014', hint = 'Nothing was changed. What is older than 400 days goes by purge_audit.';
  elsif exists (select from audit where day <= newest) then
    raise exception 'the audit goes by whole days, the oldest first'
      using errcode = 'ZB014', hint = 'Nothing was changed. What is older than 400 days goes by purge_audit.';
  end if;
  update audit_chain
  set purged_hash = (select hash from old_row order by day desc, number desc limit 1);
  return null;
end $$;

CREATE FUNCTION audit_hash(entry audit) RETURNS bytea
    LANGUAGE sql STABLE
    RETURN sha256(((entry).previous || convert_to((jsonb_build_array(1, (entry).day, (entry).number, ((EXTRACT(epoch FROM (entry).at) * (1000000)::numeric))::bigint, (entry).login, (entry).role, (entry).os_user, (entry).host, (entry).program, (entry).application, ((entry).client)::text, (entry).action, ((entry).subject)::text, ((entry).before)::text, ((entry).after)::text, ((entry).filter)::text, (entry).count))::text, 'UTF8'::name)));

COMMENT ON FUNCTION badge(actor text) IS 'How many notifications the actor may see and has not read.';

CREATE FUNCTION badge(actor text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
  perform require_actor(actor);
  return (
    select count(*) from notification n
    where n.user_id = actor and not n.is_read
      and n.created_at > domain_now() - notification_lifetime());
end $$;

CREATE FUNCTION caller() RETURNS name
    LANGUAGE sql STABLE
    RETURN CASE current_setting('role'::text) WHEN 'none'::text THEN SESSION_USER ELSE (current_setting('role'::text))::name END;

CREATE FUNCTION cancel_boards(of_group text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform from challenge c
  where c.group_id = of_group and c.state = 'open'
  order by c.week_start, c.type
  for update;
  update challenge c set state = 'cancelled' where c.group_id = of_group and c.state = 'open';
end $$;

CREATE FUNCTION challenge_deleted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'boards are removed at READ COMMITTED only'
      using errcode = '25001', hint = 'Nothing was removed. An older snapshot misses new entries.';
  end if;
  if exists (select from entry where challenge_id = any (array(select id from old_row))) then
    raise foreign_key_violation using message = 'a challenge that is removed still has entries',
      hint = 'Nothing was removed. Remove its entries in the same statement.';
  end if;
  return null;
end $$;

CREATE FUNCTION challenge_id(group_id text, week_start date, type challenge_type) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT (encode(set_byte(set_byte(digest.h, 6, ((get_byte(digest.h, 6) & 15) | 128)), 8, ((get_byte(digest.h, 8) & 63) | 128)), 'hex'::text))::uuid AS encode FROM (SELECT substr(sha256(convert_to(((((challenge_id.type || '/'::text) || (challenge_id.week_start - '1970-01-01'::date)) || '/'::text) || challenge_id.group_id), 'UTF8'::name)), 1, 16) AS h) digest);

CREATE FUNCTION challenge_inserted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  -- A transition table is read alone, joined with nothing.
  earliest_end timestamptz := (select min(ends_at) from new_row where state = 'open');
begin
  insert into board_version (challenge_id, is_told) select id, true from new_row on conflict do nothing;
  if earliest_end + in_seconds((select grace from setting)) <= domain_now() then
    perform append_events(tg_argv[0], array['scheduled']);
  end if;
  return null;
end $$;

CREATE FUNCTION challenge_renamed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise foreign_key_violation using message = 'the id of a challenge cannot change';
end $$;

COMMENT ON FUNCTION changed_boards(boards uuid[], versions bigint[], marks bigint[], week date) IS 'Which of the boards that are observed have to be read again.';

CREATE FUNCTION changed_boards(boards uuid[], versions bigint[], marks bigint[], week date) RETURNS TABLE(number bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
begin
  return query
  select o.number
  from unnest(boards, versions, marks) with ordinality o (board, version, mark, number)
  where o.board is null
    or (select week_of(domain_now())) <> week
    or o.version is distinct from (
      select v.rank_version from board_version v where v.challenge_id = o.board)
    or o.mark <> case when (select include_zero from setting)
      then (select members_mark(c.group_id) from challenge c where c.id = o.board) else 0 end;
end $$;

CREATE FUNCTION check_board_call(actor text, challenge_id uuid, of_type challenge_type, OUT board challenge) RETURNS challenge
    LANGUAGE plpgsql
    AS $$
begin
  perform require_actor(actor);
  select c.* into board from challenge c where c.id = challenge_id;
  if not found then
    perform refuse('challengeNotFound', format('there is no challenge %s',
      coalesce(challenge_id::text, 'null')),
      'Nothing was changed. Ask for the challenges of this week.');
  elsif not exists (
    select from active_group a
    join member m on m.group_id = a.group_id and m.user_id = a.user_id
    where a.user_id = actor and a.group_id = board.group_id and m.left_at is null) then
    perform refuse('notAMember', format('user %s is no member of the group of challenge %s',
      quote_literal(actor), challenge_id),
      'Nothing was changed. Join the group first.');
  elsif board.type <> of_type then
    perform refuse('invalidChallengeType', format('challenge %s counts %s, not %s',
      challenge_id, board.type, of_type),
      'Nothing was changed. Send the id of the other challenge of this week.');
  elsif board.state <> 'open' or board.ends_at <= domain_now() then
    perform refuse('challengeExpired', format('the week of challenge %s is over',
      challenge_id),
      'Nothing was changed. Ask for the challenges of this week.');
  elsif board.starts_at > domain_now() then
    perform refuse('invalidInput', format('the week of challenge %s has not begun',
      challenge_id),
      'Nothing was changed. Ask for the challenges of this week.');
  end if;
end $$;

CREATE FUNCTION check_call(needs_key boolean, key text, payload jsonb, run_at timestamp with time zone, priority integer, replaces boolean, place text DEFAULT ''::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if key is null and needs_key then
    raise exception 'this job reads its keys, so a run of it needs one%', place
      using errcode = 'ZB006', hint = 'Nothing was enqueued. Give the key of one run.';
  end if;
  if octet_length(key) not between 1 and 256 or key ~ e'[\\x01-\\x1f\\x7f]' then
    raise exception 'a key has 1 to 256 bytes and no control characters%', place
      using errcode = 'ZB006', hint = 'Nothing was enqueued. Give the key of one run.';
  end if;
  if key is null and replaces then
    raise exception 'a run without a key replaces nothing%', place
      using errcode = 'ZB006', hint = 'Nothing was enqueued. Give the key whose run is moved.';
  end if;
  -- Every claim, retry and merge carries it along.
  if pg_column_size(payload) > 1048576 then
    raise exception 'a payload has at most 1 MiB; this one has % bytes%', pg_column_size(payload), place
      using errcode = 'ZB007', hint = 'Nothing was enqueued. Keep the data in a table and give its id.';
  end if;
  -- A later one would not fit into what clients read it as, and fail every list in which its run stands.
  if run_at = '-infinity' or run_at >= timestamptz '10000-01-01 00:00Z' then
    raise exception 'a run is asked for at an instant, not at %', run_at || place
      using errcode = 'ZB008',
        hint = 'Nothing was enqueued. Give one up to the year 9999, or leave run_at out for as soon as possible.';
  end if;
  if priority not between 1 and 9 then
    raise exception 'a priority is 1 to 9, not %', priority || place
      using errcode = 'ZB012', hint = 'Nothing was enqueued. 1 goes first, 9 last; none is the job''s own.';
  end if;
end $$;

CREATE FUNCTION check_claim(held bigint, claimed bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if held is distinct from claimed then
    raise exception 'only % of % claimed runs still carry the token', held, claimed
      using errcode = 'ZB011', hint = 'Another worker has them; this work is rolled back.';
  end if;
end $$;

CREATE FUNCTION check_identity(provider text, subject text, display_name text, email text, photo_url text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
begin
  if provider is null or provider not in (select unnest(enum_range(null::auth_provider))::text) then
    perform refuse('invalidInput', format('there is no provider %s', quote_nullable(left(provider, 64))),
      'Nothing was changed. Send apple, google or email.');
  elsif subject is null or octet_length(subject) not between 1 and 256
    or subject ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', 'a user needs a subject of 1 to 256 bytes without control characters',
      'Nothing was changed. Send what the provider calls the user, not the token.');
  elsif octet_length(email) > 320 or email !~ '^[^[:cntrl:][:space:]@]+@[^[:cntrl:][:space:]@]+$' then
    perform refuse('invalidInput', 'the address of a user is none, or too long',
      'Nothing was changed. Send an address of at most 320 bytes, or none.');
  end if;
  perform check_profile('a user', display_name, photo_url);
end $_$;

CREATE FUNCTION check_name(id text, name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if id is null or octet_length(id) not between 1 and 256 or id ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', 'a group needs an id of 1 to 256 bytes without control characters',
      'Nothing was changed. Send an id that the client made once for this group.');
  elsif name is null or trim(name) = '' or char_length(name) > 100
    or name ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', 'a group needs a name of 1 to 100 characters on one line',
      'Nothing was changed. Ask for another name.');
  end if;
end $$;

CREATE FUNCTION check_profile(of_whom text, display_name text, photo_url text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
begin
  if octet_length(display_name) > 256 or display_name ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput', format('the name of %s is too long or has control characters', of_whom),
      'Nothing was changed. Send a name of at most 256 bytes.');
  elsif octet_length(photo_url) > 2048 or photo_url !~ '^https://[!-~]+$' then
    perform refuse('invalidInput', format('the photo of %s is no address of https, or too long', of_whom),
      'Nothing was changed. Send an address of at most 2048 bytes, or none.');
  end if;
end $_$;

CREATE FUNCTION check_workout_call(user_id text, workout_id text, revision integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform require_claim(user_id);
  if user_id is null or octet_length(user_id) > 256 or workout_id is null
    or octet_length(workout_id) not between 1 and 256 or workout_id ~ e'[\\x01-\\x1f\\x7f]' then
    raise exception 'record_workout needs a user and a workout id of 1 to 256 bytes without control characters'
      using errcode = 'ZB002', hint = 'Nothing was written. Send an id that the client made once for this workout.';
  end if;
  if revision is null or revision < 0 then
    raise exception 'record_workout: revision % is not a number from 0 up', coalesce(revision::text, 'null')
      using errcode = 'ZB002', hint = 'Nothing was written. Send 0 for a new workout, more for an edit.';
  end if;
end $$;

CREATE FUNCTION claim_order(job text) RETURNS text
    LANGUAGE sql STABLE
    RETURN CASE WHEN (EXISTS (SELECT FROM run r WHERE ((r.job = claim_order.job) AND r.is_held))) THEN 'group'::text ELSE COALESCE((SELECT CASE WHEN (l.group_concurrency IS NULL) THEN 'limit'::text ELSE 'group'::text END AS "case" FROM job_limit l WHERE (l.job = claim_order.job)), (SELECT CASE WHEN (cardinality(j.priorities) > 1) THEN 'priority'::text ELSE NULL::text END AS "case" FROM job j WHERE (j.name = claim_order.job)), 'plain'::text) END;

CREATE FUNCTION claim_room(job text) RETURNS integer
    LANGUAGE sql STABLE
    RETURN (SELECT (GREATEST((0)::numeric, LEAST(((l.concurrency - (SELECT count(*) AS count FROM run r WHERE ((r.job = l.job) AND (r.state = 'running'::run_state) AND (r.group_key IS NOT NULL)))))::numeric, ((l.burst)::numeric - ceil((EXTRACT(epoch FROM GREATEST('00:00:00'::interval, (l.rested_at - clock_timestamp()))) / EXTRACT(epoch FROM l.start_interval)))))))::integer AS "greatest" FROM job_limit l WHERE ((l.job = claim_room.job) AND ((l.concurrency IS NOT NULL) OR (l.start_interval IS NOT NULL))));

CREATE FUNCTION claimed_actor(claims text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
  subject jsonb;
begin
  if octet_length(claims) > 65536 then
    return null;
  end if;
  subject := claims::jsonb -> 'sub';
  return case when jsonb_typeof(subject) = 'string' then nullif(subject #>> '{}', '') end;
exception when data_exception or program_limit_exceeded then
  return null;
end $$;

CREATE FUNCTION count_attempt(of_user text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  at constant timestamptz := domain_now();
  so_far integer;
begin
  insert into invite_attempt as a (user_id, began_at, attempts) values (of_user, at, 1)
  on conflict (user_id) do update
  set attempts = case when a.began_at > at - interval '1 hour' then a.attempts + 1 else 1 end,
    began_at = case when a.began_at > at - interval '1 hour' then a.began_at else at end
  returning attempts into so_far;
  if so_far > (select invite_attempts from setting) then
    perform refuse('tooManyAttempts', format('user %s tried too many invites', quote_literal(of_user)),
      'Nothing was changed. Try again in an hour, with an invite that a member sent.');
  end if;
end $$;

CREATE FUNCTION count_ignored(at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into ignored_workout (day) values ((at at time zone 'UTC')::date);
end $$;

CREATE FUNCTION count_members(of_groups text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform from groups g where g.id = any (of_groups) order by g.id for no key update;
  update groups g
  set member_count = c.members
  from (
    select m.group_id, count(*) filter (where m.left_at is null)::integer as members
    from member m
    where m.group_id = any (of_groups)
    group by m.group_id
  ) c
  where g.id = c.group_id and g.member_count <> c.members;
end $$;

COMMENT ON FUNCTION create_group(actor text, group_id text, name text) IS 'Makes a group with the actor as its admin. Safe to repeat with the same id and name.';

CREATE FUNCTION create_group(actor text, group_id text, name text) RETURNS group_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  at constant timestamptz := domain_now();
  there groups;
begin
  perform require_actor(actor);
  perform check_name(group_id, name);
  insert into groups (id, name, created_at, created_by)
  values (create_group.group_id, create_group.name, at, actor)
  on conflict do nothing;
  if not found then
    select * into there from groups g where g.id = create_group.group_id;
    if (there.created_by, there.name) is distinct from (actor, create_group.name) then
      perform refuse('conflictingRepeat', format('there is a group %s already', quote_literal(group_id)),
        'Nothing was changed. Send a new id for a new group.');
    end if;
    return group_row(group_id, actor);
  end if;
  -- Whoever is in another group is refused here.
  insert into member (group_id, user_id, role, joined_at)
  values (create_group.group_id, actor, 'admin', at);
  perform lock_boards(create_group.group_id, week_of(at));
  insert into usage_log (recorded_at, kind, group_id, user_id)
  values (at, 'group_created', create_group.group_id, actor);
  return group_row(group_id, actor);
end $$;

COMMENT ON FUNCTION create_invite(actor text, group_id text, token text) IS 'A member makes an invite to the group. Safe to repeat with a token of the caller.';

CREATE FUNCTION create_invite(actor text, group_id text, token text DEFAULT NULL::text) RETURNS invite_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $_$
declare
  at constant timestamptz := domain_now();
  digits text := lower(token);
  hash bytea;
  it groups;
  made invite;
  is_new boolean;
begin
  perform require_actor(actor);
  if digits !~ '^[0-9a-f]{32}$' then
    perform refuse('invalidInput', 'the token of an invite is 32 hexadecimal digits',
      'Nothing was changed. Send 128 random bits, or none.');
  end if;
  it := lock_group(group_id);
  perform require_member(actor, it.id);
  -- Two, because a uuid has 122 random bits.
  digits := coalesce(digits, encode(substr(sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 1, 16), 'hex'));
  hash := sha256(convert_to(digits, 'UTF8'));
  insert into invite (token_hash, group_id, created_by, created_at, expires_at)
  select hash, it.id, actor, at, at + in_seconds(s.invite_age) from setting s
  on conflict (token_hash) do nothing;
  is_new := found;
  select * into made from invite i where i.token_hash = hash;
  if (made.group_id, made.created_by) is distinct from (it.id, actor::identifier) then
    perform refuse('conflictingRepeat', 'there is an invite of another call with this token',
      'Nothing was changed. Send a new token for a new invite.');
  end if;
  if is_new then
    insert into usage_log (recorded_at, kind, group_id, user_id, invite_id)
    values (at, 'invite_created', it.id, actor, made.id);
  end if;
  return row(made.id, digits, made.expires_at)::invite_answer;
end $_$;

COMMENT ON FUNCTION create_notification(key text, user_id text, group_id text, message text) IS 'For the server: tells a user something about a group. Safe to repeat with the same key.';

CREATE FUNCTION create_notification(key text, user_id text, group_id text, message text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  at timestamptz;
begin
  if key is null or octet_length(key) not between 1 and 256 or message is null
    or octet_length(message) > 1000 then
    perform refuse('invalidInput', 'a notification needs a key of 1 to 256 bytes and a message of up to 1000',
      'Nothing was written. Send a key that was made once for this notification.');
  end if;
  perform from users u where u.id = create_notification.user_id for no key update;
  if not found or not exists (select from groups g where g.id = create_notification.group_id) then
    perform refuse('invalidInput', format('there is no user %s, or no group %s',
      quote_nullable(left(user_id, 64)), quote_nullable(left(group_id, 64))),
      'Nothing was written. Send the ids of both.');
  end if;
  at := domain_now();
  if exists (
    select from notification n
    where n.user_id = create_notification.user_id and n.created_at > at - notification_lifetime()
      and n.content ->> 'key' = create_notification.key) then
    return false;
  end if;
  insert into notification (partition, created_at, user_id, group_id, type, content, changed_at)
  values (day_partition(at), at, create_notification.user_id, create_notification.group_id,
    'new_member', jsonb_build_object('key', key, 'message', message), at);
  return true;
end $$;

CREATE FUNCTION current_actor() RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  if (select bool_and(k.id = 0) from claim_key k) then
    return claimed_actor(nullif(current_setting('request.jwt.claims', true), ''));
  end if;
  return signed_actor(nullif(current_setting('baton.claim', true), ''));
end $$;
COMMENT ON FUNCTION current_actor() IS 'The user for whom this transaction speaks; null: nobody.';

COMMENT ON FUNCTION current_board(actor text, group_id text, type challenge_type) IS 'A board of the running week and its version: read again, it says whether there is anything new.';

CREATE FUNCTION current_board(actor text, group_id text, type challenge_type) RETURNS TABLE(id uuid, week_start date, is_active boolean, created_at timestamp with time zone, rank_version bigint, taken_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  made uuid;
begin
  select c.id into made
  from current_week_challenges(actor, current_board.group_id) c
  where c.type = current_board.type;
  -- A statement of its own: the one above does not see the version of a board that it has made.
  return query
  select c.id, c.week_start, c.state = 'open' and c.ends_at > domain_now(), c.created_at,
    v.rank_version, domain_now()
  from challenge c
  join board_version v on v.challenge_id = c.id
  where c.id = made;
end $$;

COMMENT ON FUNCTION current_week_challenges(actor text, group_id text) IS 'Both boards of the running week of a group.';

CREATE FUNCTION current_week_challenges(actor text, group_id text) RETURNS TABLE(id uuid, type challenge_type, week_start date, starts_at timestamp with time zone, ends_at timestamp with time zone, is_active boolean, created_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  at constant timestamptz := domain_now();
  week constant date := week_of(at);
  of_group constant text := current_week_challenges.group_id;
begin
  perform require_member(actor, of_group);
  if (select count(*) from challenge c where c.group_id = of_group and c.week_start = week) < 2 then
    perform from groups g where g.id = of_group and g.is_active for share;
    if not found then
      perform refuse_group(of_group);
    end if;
    perform lock_boards(of_group, week);
  end if;
  return query
  select c.id, c.type, c.week_start, c.starts_at, c.ends_at, c.state = 'open' and c.ends_at > at,
    c.created_at
  from challenge c
  where c.group_id = of_group and c.week_start = week
  order by c.type;
end $$;

CREATE FUNCTION cutoff_of(age interval) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    RETURN (now() - make_interval(secs => (EXTRACT(epoch FROM age))::double precision));

CREATE FUNCTION day_partition(at timestamp with time zone) RETURNS smallint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (((((floor((EXTRACT(epoch FROM at) / (86400)::numeric)))::bigint % (16)::bigint) + 16) % (16)::bigint))::smallint;

CREATE FUNCTION dead_group(error text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN "left"(encode(sha256(convert_to(dead_line(error), 'UTF8'::name)), 'hex'::text), 16);

CREATE FUNCTION dead_line(error text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(redacted("left"(split_part("left"(error, 400), '
'::text, 1), 200)), '[0-9]+'::text, '#'::text, 'g'::text);

CREATE FUNCTION dead_run_inserted() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  segment smallint;
  waking bigint;
  keys text[];
  payloads jsonb[];
begin
  if not exists (select from job where tg_argv[0] = any (topics)) then
    return null;
  end if;
  -- The error is cut: every claim, retry and merge carries a payload along. The dead run has the whole.
  select array_agg(d.id::text order by d.id),
    array_agg(jsonb_build_object('died', jsonb_build_object('id', d.id, 'job', d.job, 'key', d.key,
      'attempts', d.attempt, 'error', left(d.error, 2000))) order by d.id)
  into keys, payloads
  from new_row d
  where not exists (select from job j where j.name = d.job and tg_argv[0] = any (j.topics));
  if keys is null then
    return null;
  end if;
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key, payload)
    select tg_argv[0], k, p from unnest(keys, payloads) e (k, p);
  elsif segment = 1 then
    insert into event_1 (topic, key, payload)
    select tg_argv[0], k, p from unnest(keys, payloads) e (k, p);
  else
    insert into event_2 (topic, key, payload)
    select tg_argv[0], k, p from unnest(keys, payloads) e (k, p);
  end if;
  -- Held by a worker that is awake, or by a writer that wakes one: never waited for.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return null;
end $$;

COMMENT ON FUNCTION delete_account(actor text) IS 'Deletes the account of the actor. Ranks of closed boards stay, without the name.';

CREATE FUNCTION delete_account(actor text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  tombstone constant text := 'former-' || gen_random_uuid();
  own_group text;
  groups_of text[];
  open_boards uuid[];
  boards uuid[];
begin
  perform require_actor(actor);
  loop
    select a.group_id into own_group from active_group a where a.user_id = actor;
    exit when not found;
    perform leave_group(actor, own_group);
  end loop;
  -- What the actor is recording at this moment is waited for, and is then part of what goes.
  groups_of := array(
    select m.group_id from member m where m.user_id = actor order by m.group_id for update);
  -- Nothing new refers to the actor from here on.
  perform from users u where u.id = actor for update;
  if exists (select from active_group a where a.user_id = actor) then
    raise serialization_failure using
      message = format('user %s joined a group while the account was deleted', quote_literal(actor)),
      hint = 'Nothing was changed. Try again.';
  end if;
  open_boards := array(
    select c.id from challenge c
    where c.group_id = any (groups_of) and c.state = 'open'
    order by c.week_start, c.group_id, c.type
    for key share);
  -- Whoever publishes or tells is ahead of this or behind it.
  boards := array(
    select v.challenge_id from board_version v
    where v.challenge_id = any (array(
      select c.id from challenge c where c.group_id = any (groups_of)))
    order by v.challenge_id
    for update);

  -- The ledger first: what it takes along derives the entries of open boards once more.
  delete from workout w where w.user_id = actor;
  delete from workout_day d where d.user_id = actor;
  delete from entry e where e.challenge_id = any (open_boards) and e.user_id = actor;
  update entry e set user_id = tombstone, display_name = 'Former member', photo_url = null
  where e.challenge_id = any (boards) and e.user_id = actor;
  update standing s set user_id = tombstone, display_name = 'Former member', photo_url = null
  where s.challenge_id = any (boards) and s.challenge_id <> all (open_boards) and s.user_id = actor;
  perform anonymise_weeks(groups_of, actor, tombstone);
  perform anonymise_notifications(groups_of, actor, tombstone);
  -- Payloads are the jobs' own: an id may stand in one as a text.
  update dead_run d
  set payload = replace(d.payload::text, to_jsonb(actor)::text, to_jsonb(tombstone)::text)::jsonb
  where strpos(d.payload::text, to_jsonb(actor)::text) > 0;

  delete from invite i where i.created_by = actor;
  delete from invite_attempt a where a.user_id = actor;
  update membership i set removed_by = null where i.removed_by = actor;
  update groups g
  set created_by = nullif(g.created_by, actor), deleted_by = nullif(g.deleted_by, actor)
  where g.created_by = actor or g.deleted_by = actor;
  delete from membership i where i.group_id = any (groups_of) and i.user_id = actor;
  delete from member m where m.group_id = any (groups_of) and m.user_id = actor;
  delete from users u where u.id = actor;
end $$;

COMMENT ON FUNCTION delete_group(actor text, group_id text) IS 'An admin ends the group for all of its members. Safe to repeat.';

CREATE FUNCTION delete_group(actor text, group_id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  at constant timestamptz := domain_now();
  it groups;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  if not it.is_active then
    if it.deleted_by is distinct from actor then
      perform refuse_group(it.id);
    end if;
    return;
  end if;
  perform require_admin(actor, it.id);
  -- Whoever is recording a workout is waited for, in the order in which reopen_week waits.
  perform from member m
  where m.group_id = it.id and m.left_at is null
  order by m.user_id
  for no key update;
  -- Ahead of the members, who then have no entry on an open board to be hidden.
  perform cancel_boards(it.id);
  update member m
  set role = 'member', has_left = true, left_at = greatest(at, (
    select i.joined_at from membership i
    where i.group_id = m.group_id and i.user_id = m.user_id and i.left_at is null))
  where m.group_id = it.id and m.left_at is null;
  perform end_group(it.id, actor);
end $$;

COMMENT ON FUNCTION delete_workout(actor text, workout_id text, revision integer) IS 'Takes a workout of the actor back; every outcome is final. Safe to repeat with the same revision.';

CREATE FUNCTION delete_workout(actor text, workout_id text, revision integer DEFAULT NULL::integer) RETURNS workout_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  at constant timestamptz := domain_now();
  known workout;
  refused refused_edit;
  boards record;
  answer workout_outcome;
  is_shown boolean;
begin
  perform check_workout_call(actor, workout_id, coalesce(revision, 0));
  loop
    select * into known from workout w
    where w.user_id = actor and w.workout_id = delete_workout.workout_id;
    if not found then
      perform require_actor(actor);
      -- Nothing is stored: a phone sends a workout before it takes it back.
      return row('rejected', 'workoutNotFound', null, false)::workout_answer;
    elsif revision < known.revision then
      return row('duplicate', null, known.week_start, false)::workout_answer;
    elsif known.is_deleted and (revision is null or revision = known.revision) then
      return row(known.outcome, known.reason, known.week_start, true)::workout_answer;
    end if;
    select * into refused from refused_edit r
    where r.user_id = known.user_id and r.workout_id = known.workout_id
      and r.revision = delete_workout.revision and r.is_deletion;
    if found then
      return row('rejected', refused.reason, refused.week_start, true)::workout_answer;
    elsif revision = known.revision then
      return row('rejected', 'idempotencyConflict', known.week_start, false)::workout_answer;
    end if;

    -- From here on one call of a member of this group at a time; the membership may be over.
    update member m set calls = m.calls + 1
    where m.group_id = known.group_id and m.user_id = known.user_id;
    answer := 'accepted';
    if known.counted then
      select * into boards from lock_boards(known.group_id, known.week_start);
      if not boards.are_open then
        answer := 'acceptedLate';
        -- What a closed board shows stays on it. One that is gone or cancelled shows nothing.
        is_shown := not known.missed_board and exists (
          select from challenge c
          where c.group_id = known.group_id and c.week_start = known.week_start
            and c.state = 'closed');
        if is_shown and revision is not null then
          insert into refused_edit (user_id, workout_id, revision, is_deletion, reason, week_start)
          values (actor, delete_workout.workout_id, delete_workout.revision, true, 'weekClosed',
            known.week_start)
          on conflict do nothing;
          -- Not found: the same call was refused while this one waited. Begin again.
          continue when not found;
        end if;
        if is_shown then
          return row('rejected', 'weekClosed', known.week_start, false)::workout_answer;
        end if;
      end if;
    end if;
    update workout w
    set is_deleted = true, counted = false, missed_board = false, outcome = answer,
      reason = null, received_at = at,
      revision = coalesce(delete_workout.revision, known.revision + 1)
    where w.user_id = known.user_id and w.workout_id = known.workout_id
      and (w.revision, w.missed_board) = (known.revision, known.missed_board)
      and not exists (
        select from refused_edit r
        where r.user_id = w.user_id and r.workout_id = w.workout_id
          and r.revision = delete_workout.revision and r.is_deletion);
    -- Not found: it was edited, deleted, refused or its week reopened while this call waited. Begin again.
    exit when found;
  end loop;
  if known.counted then
    perform refresh_day(known.user_id, known.group_id, known.local_date, known.week_start);
    perform derive_entries(known.user_id, known.group_id, known.week_start, at);
  end if;
  return row(answer, null, known.week_start, false)::workout_answer;
end $$;

CREATE FUNCTION derive_days(of_group text, of_user text, of_week date) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
select count(refresh_day(of_user, of_group, d.local_date, d.week_start)::text)
from (
  select w.local_date, w.week_start from workout w
  where w.user_id = of_user and w.group_id = of_group and w.counted
    and w.local_date between greatest(of_week - 70, (domain_now() at time zone 'UTC')::date - 84) and of_week + 7
  union
  select o.local_date, o.week_start from workout_day o
  where o.user_id = of_user and o.group_id = of_group
    and o.local_date between greatest(of_week - 70, (domain_now() at time zone 'UTC')::date - 84) and of_week + 7
) d
$$;

CREATE FUNCTION derive_entries(of_user text, of_group text, of_week date, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  who record;
  boards record;
  new_values record;
  week date := of_week;
begin
  select m.joined_at, m.left_at, u.display_name, u.photo_url, u.shares_workouts,
    s.max_checkins_per_day, s.streak_policy, s.streak_source
  into who
  from member m
  join users u on u.id = m.user_id, setting s
  where m.group_id = of_group and m.user_id = of_user;
  if not found then
    return;
  end if;
  loop
    select * into new_values
    from refresh_week(of_user, of_group, week, who.max_checkins_per_day, who.streak_policy,
      who.streak_source);
    select * into boards from lock_boards(of_group, week);
    if boards.are_open then
      perform write_entries(of_user, who.joined_at, who.display_name, who.photo_url, at,
        array[boards.check_ins_board, boards.streak_board],
        array[new_values.check_ins, new_values.streak],
        array[new_values.check_ins_at, new_values.streak_at],
        -- With a limit of check-ins a day an entry may be new.
        not who.shares_workouts
          or coalesce(who.left_at < (week + 7)::timestamp at time zone 'UTC', false));
    end if;
    week := week + 7;
    exit when not exists (
      select from workout_day d
      where d.user_id = of_user and d.group_id = of_group
        and d.local_date between week - 1 and week + 7 and d.week_start = week);
  end loop;
end $$;

CREATE FUNCTION derive_weeks(of_group text, of_user text, of_week date) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
with counted as (
  select count(r.streak) as weeks
  from (
    select distinct week_start from workout_day
    where user_id = of_user and group_id = of_group and week_start < of_week
      and local_date >= greatest(of_week - 70, (domain_now() at time zone 'UTC')::date - 84)
    order by week_start
  ) d
  cross join setting s
  cross join lateral refresh_week(of_user, of_group, d.week_start, s.max_checkins_per_day,
    s.streak_policy, s.streak_source) r
)
select weeks + length(derive_entries(of_user, of_group, of_week, domain_now())::text) from counted
$$;

CREATE FUNCTION domain_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN now();

CREATE FUNCTION empty_event_log() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  if not exists (select from event_position where set_by = pg_current_xact_id()) then
    raise exception 'the event log is emptied by whoever has just folded it'
      using errcode = 'ZB031', hint = 'Nothing was changed.';
  end if;
  truncate event_0, event_1, event_2;
end $$;

CREATE FUNCTION end_group(of_group text, by_admin text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform cancel_boards(of_group);
  update invite i set revoked_at = domain_now()
  where i.group_id = of_group and i.revoked_at is null;
  update groups g set is_active = false, deleted_by = by_admin where g.id = of_group;
end $$;

CREATE FUNCTION end_membership(of_group text, of_user text, by_admin text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  successor text;
  since timestamptz;
begin
  if not exists (
    select from member m
    where m.group_id = of_group and m.left_at is null and m.role = 'admin' and m.user_id <> of_user)
  then
    select m.user_id into successor from member m
    where m.group_id = of_group and m.left_at is null and m.user_id <> of_user
    order by m.joined_at, m.user_id
    limit 1;
  end if;
  perform from member m
  where m.group_id = of_group and m.user_id in (of_user, successor)
  order by m.user_id
  for no key update;
  update member m set role = 'admin' where m.group_id = of_group and m.user_id = successor;
  select i.joined_at into since from membership i
  where i.group_id = of_group and i.user_id = of_user and i.left_at is null;
  -- Whatever the clock did meanwhile, nobody leaves before they joined.
  update member m
  set left_at = greatest(domain_now(), since), has_left = true, role = 'member'
  where m.group_id = of_group and m.user_id = of_user;
  update membership i set removed_by = by_admin
  where by_admin is not null and i.group_id = of_group and i.user_id = of_user
    and i.joined_at = since;
  if not exists (select from member m where m.group_id = of_group and m.left_at is null) then
    perform end_group(of_group, null);
  end if;
end $$;

CREATE FUNCTION enqueue(job text, key text DEFAULT NULL::text, payload jsonb DEFAULT NULL::jsonb, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT NULL::integer, replace boolean DEFAULT false) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  segment smallint;
  waking bigint;
  needs_key boolean := (select j.needs_key from job j where j.name = enqueue.job);
  run_id bigint;
  topic text := 'enqueue/' || job;
  replaces boolean := nullif(replace, false);
begin
  if needs_key is null then
    raise exception 'there is no job %', quote_nullable(left(job, 64))
      using errcode = 'ZB005', hint = 'Nothing was enqueued. The command `jobs` lists the jobs.';
  end if;
  perform check_call(needs_key, key, payload, run_at, priority, replaces);
  run_id := nextval('run_id_seq');
  key := coalesce(key, '#' || run_id);
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key, payload, run_id, run_at, replaces, priority)
    values (topic, key, payload, run_id, run_at, replaces, priority);
  elsif segment = 1 then
    insert into event_1 (topic, key, payload, run_id, run_at, replaces, priority)
    values (topic, key, payload, run_id, run_at, replaces, priority);
  else
    insert into event_2 (topic, key, payload, run_id, run_at, replaces, priority)
    values (topic, key, payload, run_id, run_at, replaces, priority);
  end if;
  -- Held by a worker that is awake, or by a writer that wakes one: never waited for.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return run_id;
end $$;

CREATE FUNCTION enqueue_many(job text, runs jsonb) RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO, MDY'
    AS $$
declare
  segment smallint;
  waking bigint;
  needs_key boolean := (select j.needs_key from job j where j.name = enqueue_many.job);
  wrong record;
begin
  if needs_key is null then
    raise exception 'there is no job %', quote_nullable(left(job, 64))
      using errcode = 'ZB005', hint = 'Nothing was enqueued. The command `jobs` lists the jobs.';
  end if;
  if jsonb_typeof(runs) is distinct from 'array' then
    raise exception 'the runs are a JSON array of objects'
      using errcode = 'ZB009', hint = 'Nothing was enqueued. For example [{"key": "7", "payload": {}}].';
  end if;
  select number, field into wrong
  from jsonb_array_elements(runs) with ordinality r (run, number)
  left join lateral (
    select name from jsonb_object_keys(case jsonb_typeof(run) when 'object' then run else '{}' end) n (name)
    where name not in ('key', 'payload', 'run_at', 'priority', 'replace') limit 1) f (field) on true
  where jsonb_typeof(run) <> 'object' or field is not null
  order by number
  limit 1;
  if found then
    raise exception 'run % of the array %', wrong.number,
        coalesce('has a field ' || quote_literal(left(wrong.field, 64)), 'is not an object')
      using errcode = 'ZB009',
        hint = 'Nothing was enqueued. A run is an object with key, payload, run_at, priority and replace.';
  end if;
  select current, wake_key into segment, waking from event_target;
  return query
    with given as materialized (
      select nextval('run_id_seq') as run_id, g.*
      from (
        select number, run ->> 'key' as key, nullif(run -> 'payload', 'null') as payload,
          (run ->> 'run_at')::timestamptz as run_at, nullif((run ->> 'replace')::boolean, false) as replaces,
          (run ->> 'priority')::integer as priority
        from jsonb_array_elements(runs) with ordinality r (run, number)
        order by number) g
    ),
    checked as materialized (
      select g.*, check_call(needs_key, g.key, g.payload, g.run_at, g.priority, g.replaces,
        format(', in run %s of the array', g.number))
      from given g
    ),
    event as materialized (
      select 'enqueue/' || job as topic, coalesce(c.key, '#' || c.run_id) as key, c.payload, c.run_id,
        c.run_at, c.replaces, c.priority
      from checked c
      order by c.number
    ),
    in_0 as (
      insert into event_0 (topic, key, payload, run_id, run_at, replaces, priority)
      select * from event where segment = 0
    ),
    in_1 as (
      insert into event_1 (topic, key, payload, run_id, run_at, replaces, priority)
      select * from event where segment = 1
    ),
    in_2 as (
      insert into event_2 (topic, key, payload, run_id, run_at, replaces, priority)
      select * from event where segment = 2
    )
    select given.run_id from given order by given.number;
  -- Held by a worker that is awake, or by a writer that wakes one: never waited for.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
end $$;

CREATE FUNCTION enter_group(it groups, of_user text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  other text;
  earlier timestamptz;
  is_back boolean;
begin
  select a.group_id into other from active_group a where a.user_id = of_user;
  if found then
    perform refuse_second_group(of_user, other);
  elsif it.member_count >= it.max_members then
    perform refuse('groupFull', format('group %s has all of its %s members', quote_literal(it.id),
      it.max_members), 'Nothing was changed. Try again when a member has left.');
  end if;
  -- Held before it is changed, because its workouts lock it first too.
  select m.left_at into earlier from member m
  where m.group_id = it.id and m.user_id = of_user for no key update;
  is_back := found;
  if is_back then
    update member m set left_at = null where m.group_id = it.id and m.user_id = of_user;
  else
    insert into member (group_id, user_id, joined_at) values (it.id, of_user, at);
  end if;
  if not is_back or earlier <= at - interval '24 hours' then
    perform tell_new_member(it.id, of_user);
  end if;
end $$;

CREATE FUNCTION entry_deleted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  boards uuid[] := array(select distinct challenge_id from old_row);
begin
  boards := array(select id from challenge where id = any (boards));
  if boards <> '{}' then
    perform fence_boards(boards);
    perform append_events(tg_argv[0], boards::text[]);
  end if;
  return null;
end $$;

CREATE FUNCTION entry_inserted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  boards uuid[] := array(select distinct challenge_id from new_row);
begin
  if boards <> '{}' then
    perform fence_boards(boards);
    perform append_events(tg_argv[0], boards::text[]);
  end if;
  return null;
end $$;

CREATE FUNCTION entry_shown() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  insert into silent_move (challenge_id, user_id, value)
  values (new.challenge_id, new.user_id, new.value);
  return null;
end $$;

CREATE FUNCTION entry_updated() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  boards uuid[];
  fence boolean;
  is_renamed boolean;
  board record;
  locked integer := 0;
  segment smallint;
  waking bigint;
begin
  select array_agg(distinct challenge_id),
    bool_or((n.value, n.reached_at, n.joined_at, n.hidden)
      is distinct from (o.value, o.reached_at, o.joined_at, o.hidden)),
    bool_or(o.user_id is null and n.user_id like 'former-%')
  into boards, fence, is_renamed
  from new_row n
  full join old_row o using (challenge_id, user_id)
  where (n.value, n.reached_at, n.joined_at, n.hidden, n.display_name, n.photo_url, n.last_updated)
    is distinct from
    (o.value, o.reached_at, o.joined_at, o.hidden, o.display_name, o.photo_url, o.last_updated);
  if boards is null then
    return null;
  end if;
  if is_renamed then
    -- The same values under the id that delete_account gives are nothing new on a board.
    fence := exists (
      select challenge_id, value, reached_at, joined_at, hidden from new_row
      except all
      select challenge_id, value, reached_at, joined_at, hidden from old_row);
  end if;
  if fence then
    for board in
      select id, state from challenge where id = any (boards) order by id for key share
    loop
      if board.state <> 'open' then
        raise exception 'board % is closed: its entries can no longer change', board.id
          using errcode = 'ZB010', hint = 'Nothing was written. Do not try this again.';
      end if;
      locked := locked + 1;
    end loop;
    if locked < cardinality(boards) then
      raise foreign_key_violation using message = 'an entry needs a challenge that is there',
        hint = 'Nothing was written. record_workout makes the boards of a week.';
    end if;
  end if;
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key) select tg_argv[0], b from unnest(boards) b;
  elsif segment = 1 then
    insert into event_1 (topic, key) select tg_argv[0], b from unnest(boards) b;
  else
    insert into event_2 (topic, key) select tg_argv[0], b from unnest(boards) b;
  end if;
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return null;
end $$;

CREATE FUNCTION fence_boards(boards uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  board record;
  locked integer := 0;
begin
  for board in
    select id, state from challenge where id = any (boards) order by id for key share
  loop
    if board.state <> 'open' then
      raise exception 'board % is closed: its entries can no longer change', board.id
        using errcode = 'ZB010', hint = 'Nothing was written. Do not try this again.';
    end if;
    locked := locked + 1;
  end loop;
  if locked < cardinality(boards) then
    raise foreign_key_violation using message = 'an entry needs a challenge that is there',
      hint = 'Nothing was written. record_workout makes the boards of a week.';
  end if;
end $$;

CREATE FUNCTION find_keyed_runs(of_job text, of_state text, beginning text) RETURNS TABLE(id bigint, job text, key text, state text, attempt integer, at timestamp with time zone, first_event_at timestamp with time zone, error text, worker text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
select f.*
from (select name from job where of_job is null or name = of_job) j, lateral (
  select r.id, r.job, redacted(r.key), case when r.state = 'running' then 'running'
      when r.due <= pg_catalog.now() then 'ready' else 'delayed' end, r.attempt,
    case when isfinite(r.due) then r.due else r.run_at end, least(r.first_event_at, r.asked_at),
    redacted(left(r.last_error, 500)), w.name
  from run r
  left join worker w on w.id = r.worker
  where r.job = j.name and r.key >= beginning and r.key < beginning || chr(1114111)
    and starts_with(redacted(r.key), beginning) and (of_state is null or case when r.state = 'running' then 'running'
      when r.due <= pg_catalog.now() then 'ready' else 'delayed' end = of_state)
  order by r.key, r.state
  limit 51) f
order by j.name
limit 51
$$;

CREATE FUNCTION follow_user(of_group text, of_user text, boards uuid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
update entry e
set display_name = u.display_name, photo_url = u.photo_url,
  hidden = m.left_at is not null or not u.shares_workouts
from challenge c, member m, users u
where c.id = any (boards) and c.reopened_until is null
  and m.group_id = of_group and m.user_id = of_user and u.id = m.user_id
  and e.challenge_id = c.id and e.user_id = m.user_id
  and (e.display_name, e.photo_url, e.hidden)
    is distinct from (u.display_name, u.photo_url, m.left_at is not null or not u.shares_workouts)
$$;

COMMENT ON FUNCTION get_group(actor text, group_id text) IS 'A group, as its member sees it.';

CREATE FUNCTION get_group(actor text, group_id text) RETURNS group_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
  perform require_member(actor, group_id);
  return group_row(group_id, actor);
end $$;

COMMENT ON FUNCTION get_members(actor text, group_id text) IS 'The active members of a group, longest first.';

CREATE FUNCTION get_members(actor text, group_id text) RETURNS TABLE(user_id text, display_name text, photo_url text, role text, joined_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
  perform require_member(actor, get_members.group_id);
  return query
  select u.id::text, u.display_name, u.photo_url, m.role, m.joined_at
  from member m
  join users u on u.id = m.user_id
  where m.group_id = get_members.group_id and m.left_at is null
  order by m.joined_at, m.user_id;
end $$;

COMMENT ON FUNCTION get_user(actor text) IS 'The actor with address, provider, group, privacy and zone.';

CREATE FUNCTION get_user(actor text) RETURNS user_answer
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  perform require_actor(actor);
  return user_row(actor);
end $$;

CREATE FUNCTION grace_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  update schedule_delay set delay = new.grace where job = 'close-week';
  return null;
end $$;

CREATE FUNCTION group_counted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  if new.member_count <> (
    select count(*) from member m where m.group_id = new.id and m.left_at is null)
  then
    raise check_violation using
      message = format('group %s has another number of members than %s', quote_literal(new.id),
        new.member_count),
      hint = 'Nothing was written. The number follows from the members by itself.';
  end if;
  return null;
end $$;

CREATE FUNCTION group_dead_runs() RETURNS TABLE(name text, job text, line text, runs bigint, newest_at timestamp with time zone, oldest_at timestamp with time zone, newest_run bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
select left(encode(sha256(convert_to(line, 'UTF8')), 'hex'), 16), job, line, count(*), max(died_at),
  min(died_at), max(id)
from (
  select id, job, died_at, dead_line(error) as line
  from (select * from dead_run order by id desc limit 20000) newest) lined
group by job, line
order by count(*) desc, max(id) desc
limit 200
$$;

CREATE FUNCTION group_of(field text, separator text, part integer, key text, payload jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    RETURN (SELECT CASE WHEN (octet_length(g.name) > 256) THEN md5(g.name) ELSE g.name END AS name FROM (SELECT COALESCE(CASE WHEN (group_of.field IS NOT NULL) THEN (group_of.payload ->> group_of.field) WHEN (group_of.separator IS NOT NULL) THEN split_part(group_of.key, group_of.separator, group_of.part) ELSE NULL::text END, ''::text) AS name) g);

CREATE FUNCTION group_row(of_group text, of_user text) RETURNS group_answer
    LANGUAGE sql STABLE
    RETURN (SELECT ROW((g.id)::text, g.name, g.member_count, g.max_members, g.is_active, g.created_at, (g.created_by)::text, m.role, m.joined_at, m.is_muted)::group_answer AS "row" FROM (groups g LEFT JOIN member m ON ((((m.group_id)::text = (g.id)::text) AND ((m.user_id)::text = group_row.of_user) AND (m.left_at IS NULL)))) WHERE ((g.id)::text = group_row.of_group));

CREATE FUNCTION hide_entries(of_group text, of_user text, are_hidden boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  boards constant uuid[] := array(
    select c.id from challenge c
    where c.group_id = of_group and c.state = 'open'
    order by c.week_start, c.type
    for key share);
begin
  update entry e
  set hidden = are_hidden
  where e.challenge_id = any (boards) and e.user_id = of_user and e.hidden <> are_hidden;
end $$;

CREATE FUNCTION hmac_block(key bytea, mask bigint) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
  digits constant text := rpad(
    encode(case when octet_length(key) > 64 then sha256(key) else key end, 'hex'), 128, '0');
  block bytea := '';
begin
  for i in 0..7 loop
    block := block || int8send(('x' || substr(digits, 16 * i + 1, 16))::bit(64)::bigint # mask);
  end loop;
  return block;
end $$;

CREATE FUNCTION hmac_sha256(inner_block bytea, outer_block bytea, message bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sha256((outer_block || sha256((inner_block || message))));

CREATE FUNCTION in_microseconds(instant timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((EXTRACT(epoch FROM instant) * (1000000)::numeric))::bigint;

CREATE FUNCTION in_seconds(length interval) RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN make_interval(secs => (EXTRACT(epoch FROM length))::double precision);

COMMENT ON FUNCTION increment_check_in(actor text, challenge_id uuid, key text) IS 'One more check-in of the actor, now. Safe to repeat with the same key; at least once without one.';

CREATE FUNCTION increment_check_in(actor text, challenge_id uuid, key text DEFAULT NULL::text) RETURNS workout_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  -- A retry gets its first answer, also when the week is over.
  if not exists (select from workout w where w.user_id = actor and w.workout_id = key) then
    perform check_board_call(actor, challenge_id, 'check-ins');
  end if;
  return record_workout(actor, coalesce(key, 'check-in/' || gen_random_uuid()));
end $$;

CREATE FUNCTION invite_of(token text) RETURNS uuid
    LANGUAGE sql STABLE
    RETURN (SELECT i.id FROM invite i WHERE (i.token_hash = sha256(convert_to(lower(invite_of.token), 'UTF8'::name))));

CREATE FUNCTION invited_group(token text) RETURNS text
    LANGUAGE sql STABLE
    RETURN (SELECT i.group_id FROM (invite i JOIN groups g ON ((((g.id)::text = (i.group_id)::text) AND g.is_active))) WHERE ((i.token_hash = sha256(convert_to(lower(invited_group.token), 'UTF8'::name))) AND (i.revoked_at IS NULL) AND (i.expires_at > domain_now())) UNION ALL SELECT g.id FROM groups g, setting s WHERE (s.legacy_invites AND ((g.id)::text = invited_group.token) AND g.is_active) LIMIT 1);

COMMENT ON FUNCTION is_beta(actor text) IS 'Whether the actor is one of the share of users for whom a beta is on.';

CREATE FUNCTION is_beta(actor text) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  hash constant bytea := sha256(convert_to('beta/' || actor, 'UTF8'));
begin
  perform require_actor(actor);
  return (get_byte(hash, 0) * 65536 + get_byte(hash, 1) * 256 + get_byte(hash, 2)) * 100
    < (select beta_share from setting) * 16777216::bigint;
end $$;

CREATE FUNCTION is_group_full(job text, group_key text) RETURNS boolean
    LANGUAGE sql STABLE
    RETURN (SELECT (l.group_concurrency <= (SELECT count(*) AS count FROM run r WHERE ((r.job = l.job) AND (r.state = 'running'::run_state) AND (r.group_key = COALESCE(is_group_full.group_key, ''::text))))) FROM job_limit l WHERE ((l.job = is_group_full.job) AND (l.group_concurrency IS NOT NULL)));

CREATE FUNCTION is_time_zone(name text) RETURNS boolean
    LANGUAGE plpgsql STRICT
    SET "TimeZone" TO 'UTC'
    AS $$
begin
  if name ~ '[0-9]' then
    return exists (select from pg_timezone_names z where z.name = is_time_zone.name);
  end if;
  -- Until the function returns.
  return set_config('TimeZone', name, true) = name;
exception when invalid_parameter_value then
  return false;
end $$;

CREATE FUNCTION iso_text(at timestamp with time zone, fraction text DEFAULT ''::text) RETURNS text
    LANGUAGE sql STABLE
    RETURN to_char((at AT TIME ZONE 'UTC'::text), (('YYYY-MM-DD"T"HH24:MI:SS'::text || fraction) || '"Z"'::text));

COMMENT ON FUNCTION join_group(actor text, token text) IS 'Makes the actor a member by an invite. Repeated: alreadyInGroup, with the same group.';

CREATE FUNCTION join_group(actor text, token text) RETURNS join_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  at constant timestamptz := domain_now();
  invited text;
  it groups;
begin
  perform require_actor(actor);
  perform count_attempt(actor);
  invited := invited_group(token);
  if invited is not null then
    it := lock_group(invited);
    -- Again, now that nobody can revoke it or delete the group.
    invited := invited_group(token);
  end if;
  if invited is null then
    return row('inviteInvalid', null, null)::join_answer;
  end if;
  update invite_attempt a set attempts = a.attempts - 1 where a.user_id = actor;
  perform enter_group(it, actor, at);
  insert into usage_log (recorded_at, kind, group_id, user_id, invite_id)
  values (at, 'group_joined', invited, actor, invite_of(token));
  return row(null, invited, (group_row(invited, actor)).joined_at)::join_answer;
end $$;

CREATE FUNCTION later_payload(of_job text, older jsonb, newer jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    RETURN CASE WHEN ((older IS NULL) OR (newer IS NULL)) THEN COALESCE(newer, older) WHEN ((older ? 'before'::text) AND (newer ? 'after'::text) AND (SELECT j.joins_changes FROM job j WHERE (j.name = later_payload.of_job))) THEN jsonb_build_object('before', (older -> 'before'::text), 'after', (newer -> 'after'::text)) ELSE newer END;

COMMENT ON FUNCTION leaderboard(actor text, challenge_id uuid) IS 'A board as it is published, by position.';

CREATE FUNCTION leaderboard(actor text, challenge_id uuid) RETURNS TABLE("position" integer, rank integer, user_id text, display_name text, photo_url text, value integer, last_updated timestamp with time zone, is_actor boolean, rank_version bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  of_group text;
begin
  select c.group_id into of_group from challenge c where c.id = leaderboard.challenge_id;
  if not found then
    perform require_actor(actor);
    perform refuse('challengeNotFound', format('there is no challenge %s',
      coalesce(leaderboard.challenge_id::text, 'null')),
      'Nothing was read. current_week_challenges has those of this week.');
  end if;
  perform require_member(actor, of_group);
  return query
  select s.position, s.rank, s.user_id::text, s.display_name, s.photo_url, s.value, s.last_updated,
    s.user_id = actor, v.rank_version
  from leaderboard s
  join board_version v on v.challenge_id = s.challenge_id
  where s.challenge_id = leaderboard.challenge_id
  order by s.position;
end $$;

COMMENT ON FUNCTION leave_group(actor text, group_id text) IS 'Ends the membership of the actor. Safe to repeat.';

CREATE FUNCTION leave_group(actor text, group_id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  it groups;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  if exists (
    select from member m
    where m.group_id = it.id and m.user_id = actor and m.left_at is null)
  then
    perform end_membership(it.id, actor, null);
  elsif not exists (select from member m where m.group_id = it.id and m.user_id = actor) then
    perform require_member(actor, it.id);
  end if;
end $$;

CREATE FUNCTION list_dead_runs(of_job text, of_group text, beginning text, after_id bigint) RETURNS TABLE(id bigint, job text, key text, attempt integer, at timestamp with time zone, first_event_at timestamp with time zone, error text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
select d.id, d.job, redacted(d.key), d.attempt, d.died_at, d.first_event_at, redacted(left(d.error, 500))
from dead_run d
where d.id < coalesce(after_id, 9223372036854775807) and (of_job is null or d.job = of_job)
  and (of_group is null or dead_group(d.error) = of_group)
  and (beginning is null or starts_with(redacted(d.key), beginning))
order by d.id desc
limit 51
$$;

CREATE FUNCTION list_ended_runs(of_job text, beginning text, after_us bigint, after_id bigint) RETURNS TABLE(id bigint, job text, key text, attempt integer, at timestamp with time zone, first_event_at timestamp with time zone, outcome text, duration_ms bigint, worker text, error text, ended_us bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
with bound as materialized (
  select case when after_us is null then 'infinity'
    else timestamptz 'epoch' + after_us * interval '1 microsecond' end as high,
    coalesce(after_id, 9223372036854775807) as id
),
newest as (
  (select h.*
  from bound b, lateral (
    select * from run_history r
    where r.job = of_job and r.created_at <= b.high and (r.created_at < b.high or r.id < b.id)
    order by r.created_at desc, r.id desc
    limit 51) h
  where of_job is not null and beginning is null)
  union all
  (select h.*
  from bound b, generate_series(0, 15) p (partition), lateral (
    select * from run_history r
    where r.partition = p.partition::smallint and (r.created_at, r.id) < (b.high, b.id)
    order by r.created_at desc, r.id desc
    limit 51) h
  where of_job is null and beginning is null)
  union all
  (select h.*
  from bound b, (select name from job where of_job is null or name = of_job) j, lateral (
    select * from run_history r
    where r.job = j.name and r.created_at <= b.high and (r.created_at < b.high or r.id < b.id)
    order by r.created_at desc, r.id desc
    limit 10000) h
  where beginning is not null and starts_with(redacted(h.key), beginning))
)
select id, job, redacted(key), attempt, created_at, made_at, outcome, duration_ms, worker,
  redacted(left(error, 500)), (extract(epoch from created_at) * 1000000)::bigint
from newest
order by created_at desc, id desc
limit 51
$$;

COMMENT ON FUNCTION list_invites(actor text, group_id text) IS 'The invites to a group that can be used now.';

CREATE FUNCTION list_invites(actor text, group_id text) RETURNS TABLE(id uuid, created_by text, created_at timestamp with time zone, expires_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
  perform require_member(actor, list_invites.group_id);
  return query
  select i.id, i.created_by::text, i.created_at, i.expires_at
  from invite i
  where i.group_id = list_invites.group_id and i.revoked_at is null and i.expires_at > domain_now()
  order by i.created_at desc, i.id;
end $$;

CREATE FUNCTION list_running_runs(of_job text, after_place tid) RETURNS TABLE(id bigint, job text, key text, attempt integer, at timestamp with time zone, first_event_at timestamp with time zone, error text, worker text, place tid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
select r.id, r.job, redacted(r.key), r.attempt, r.due, least(r.first_event_at, r.asked_at),
  redacted(left(r.last_error, 500)), w.name, r.ctid
from run r
left join worker w on w.id = r.worker
where r.ctid > after_place
  and r.ctid < ('(' || least((after_place::text::point)[0]::bigint + 4000, 4294967295) || ',0)')::tid
  and r.state = 'running' and (of_job is null or r.job = of_job)
order by r.ctid
limit 51
$$;

CREATE FUNCTION list_waiting_runs(of_job text, is_due boolean, after_us bigint, after_place tid) RETURNS TABLE(id bigint, job text, key text, attempt integer, at timestamp with time zone, first_event_at timestamp with time zone, error text, due_us bigint, place tid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
with bound as materialized (
  select case when after_us = 9223372036854775807 then 'infinity'
      when after_us is not null then timestamptz 'epoch' + after_us * interval '1 microsecond'
      when is_due then '-infinity'
      else pg_catalog.now() + interval '1 microsecond' end as low,
    case when is_due then pg_catalog.now() else 'infinity' end as high,
    coalesce(after_place, '(0,0)') as place
),
waiting as (
  select w.*
  from bound b, (select name, priorities from job where of_job is null or name = of_job) j,
  lateral (
    select of_priority.*
    from unnest(j.priorities) p (priority), lateral (
      select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error,
        r.ctid as place
      from run r
      where r.job = j.name and r.state = 'ready' and not r.is_held and r.batch_limit = 0
        and r.priority = p.priority and r.due >= b.low and r.due <= b.high
        and (r.due > b.low or r.ctid > b.place)
      order by r.due
      limit 51) of_priority
    union all
    select aside.*
    from (
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error,
        r.ctid as place
      from run r
      where r.job = j.name and r.state = 'ready' and not r.is_held and r.batch_limit = -1
      limit 10000)
      union all
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error,
        r.ctid
      from run r
      where r.job = j.name and r.state = 'ready' and not r.is_held and r.batch_limit > 0
      limit 10000)
      union all
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error,
        r.ctid
      from run r
      where r.job = j.name and r.is_held
      limit 10000)) aside
    where aside.due >= b.low and aside.due <= b.high and (aside.due > b.low or aside.place > b.place)) w
  order by w.due, w.place
  limit 51
)
select id, job, redacted(key), attempt, case when isfinite(due) then due else run_at end,
  least(first_event_at, asked_at), redacted(left(last_error, 500)),
  case when isfinite(due) then (extract(epoch from due) * 1000000)::bigint else 9223372036854775807 end, place
from waiting
order by due, place
$$;

CREATE FUNCTION listen() RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  execute format('listen %I', 'baton_' || (select lock_key from event_target));
end $$;

CREATE FUNCTION lock_boards(of_group text, of_week date, OUT check_ins_board uuid, OUT streak_board uuid, OUT are_open boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  board record;
begin
  are_open := true;
  for board in
    select id, type, state from challenge c
    where c.group_id = of_group and c.week_start = of_week
    order by type
    for key share
  loop
    are_open := are_open and board.state = 'open';
    if board.type = 'check-ins' then
      check_ins_board := board.id;
    else
      streak_board := board.id;
    end if;
  end loop;
  if check_ins_board is null or streak_board is null then
    if (of_week + 14)::timestamp at time zone 'UTC' <= domain_now() then
      are_open := false;
      return;
    end if;
    insert into challenge (id, group_id, week_start, type)
    select challenge_id(of_group, of_week, t), of_group, of_week, t
    from unnest(enum_range(null::challenge_type)) t
    -- Without a constraint: the id follows from the same columns, so two first calls of a week
    -- may meet at either index.
    on conflict do nothing;
    select * into check_ins_board, streak_board, are_open from lock_boards(of_group, of_week);
  end if;
end $$;

CREATE FUNCTION lock_event_log() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  if exists (select from own_position) then
    raise exception 'the event log is of this cluster: nobody locks it'
      using errcode = 'ZB031', hint = 'Nothing was changed.';
  end if;
  lock table event_0, event_1, event_2 in access exclusive mode;
end $$;

CREATE FUNCTION lock_group(of_group text) RETURNS groups
    LANGUAGE plpgsql
    AS $$
declare
  it groups;
begin
  select * into it from groups g where g.id = of_group for no key update;
  if it.id is null then
    perform refuse_group(of_group);
  end if;
  return it;
end $$;

CREATE FUNCTION lock_member(of_group text, of_user text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  update member set calls = calls + 1 where group_id = of_group and user_id = of_user;
  return found;
end $$;

COMMENT ON FUNCTION mark_read(actor text, ids bigint[]) IS 'Marks notifications of the actor as read. Safe to repeat.';

CREATE FUNCTION mark_read(actor text, ids bigint[]) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  found_there record;
  marked integer := 0;
begin
  perform require_actor(actor);
  if ids is null or cardinality(ids) > 1000 then
    perform refuse('invalidInput', 'mark_read needs the ids of up to 1,000 notifications',
      'Nothing was changed. Send them in parts.');
  end if;
  for found_there in
    select n.partition, n.created_at, n.id from notification n
    where n.user_id = actor and n.id = any (ids) and not n.is_read
      and n.created_at > domain_now() - notification_lifetime()
    order by n.created_at, n.id
    for no key update
  loop
    update notification n set is_read = true, changed_at = domain_now()
    where n.partition = found_there.partition and n.created_at = found_there.created_at
      and n.id = found_there.id;
    marked := marked + 1;
  end loop;
  return marked;
end $$;

CREATE FUNCTION member_inserted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  -- A transition table is read alone, joined with nothing.
  active_users text[] := array(select user_id from new_row where left_at is null order by user_id);
  their_groups text[] := array(select group_id from new_row where left_at is null order by user_id);
  all_groups text[] := array(select distinct group_id from new_row);
  made integer;
  second record;
begin
  insert into membership (group_id, user_id, joined_at, left_at)
  select group_id, user_id, joined_at, left_at from new_row;
  insert into active_group (user_id, group_id)
  select * from unnest(active_users, their_groups)
  on conflict do nothing;
  get diagnostics made = row_count;
  if made < cardinality(active_users) then
    select a.user_id, a.group_id into second
    from unnest(active_users, their_groups) n (user_id, group_id)
    join active_group a on a.user_id = n.user_id
    where a.group_id <> n.group_id
    limit 1;
    if found then
      perform refuse_second_group(second.user_id, second.group_id);
    end if;
  end if;
  perform count_members(all_groups);
  return null;
end $$;

CREATE FUNCTION member_updated() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  other text;
begin
  if new.joined_at <> old.joined_at then
    update membership i set joined_at = new.joined_at
    where i.group_id = new.group_id and i.user_id = new.user_id and i.joined_at = old.joined_at;
  end if;
  if new.left_at is not distinct from old.left_at then
    return null;
  end if;
  if new.left_at is not null then
    update membership i set left_at = new.left_at
    where i.group_id = new.group_id and i.user_id = new.user_id
      and i.left_at is not distinct from old.left_at;
    delete from active_group a where a.user_id = new.user_id and a.group_id = new.group_id;
  else
    -- Back at the instant at which it had begun: the same time goes on.
    insert into membership (group_id, user_id, joined_at)
    values (new.group_id, new.user_id, greatest(domain_now(), old.left_at))
    on conflict (group_id, user_id, joined_at) do update set left_at = null, removed_by = null;
    insert into active_group (user_id, group_id) values (new.user_id, new.group_id)
    on conflict do nothing;
    select a.group_id into other from active_group a
    where a.user_id = new.user_id and a.group_id <> new.group_id;
    if found then
      perform refuse_second_group(new.user_id, other);
    end if;
  end if;
  if not new.has_left then
    update member m set has_left = true
    where m.group_id = new.group_id and m.user_id = new.user_id;
  end if;
  -- The first of many that leave in one statement counts without all of them.
  if new.left_at is null
    or (select g.member_count from groups g where g.id = new.group_id) > 0 then
    perform count_members(array[new.group_id::text]);
  end if;
  if new.left_at is not null
    or (select u.shares_workouts from users u where u.id = new.user_id) then
    perform hide_entries(new.group_id, new.user_id, new.left_at is not null);
  end if;
  return null;
end $$;

CREATE FUNCTION members_mark(of_group text) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
  select coalesce(bit_xor(hashtextextended(m.user_id, u.version)), 0)
  from member m
  join users u on u.id = m.user_id
  where m.group_id = of_group and m.left_at is null
$$;

COMMENT ON FUNCTION mute_group(actor text, group_id text, is_muted boolean) IS 'Whether the actor is told of changed ranks in a group. Safe to repeat.';

CREATE FUNCTION mute_group(actor text, group_id text, is_muted boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
  perform require_claim(actor);
  if mute_group.is_muted is null then
    perform refuse('invalidInput', 'a group is muted or it is not', 'Nothing was changed. Send true or false.');
  end if;
  perform require_member(actor, group_id);
  update member m set is_muted = mute_group.is_muted
  where m.group_id = mute_group.group_id and m.user_id = actor
    and m.is_muted <> mute_group.is_muted;
end $$;

CREATE FUNCTION newest_ids(ids bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE
    RETURN (ids)[GREATEST(1, (cardinality(ids) - 999)):];

CREATE FUNCTION notification_lifetime() RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '168:00:00'::interval;

COMMENT ON FUNCTION notifications(actor text, before timestamp with time zone, before_id bigint, page_size integer) IS 'What the actor was told and may still see, newest first, page by page.';

CREATE FUNCTION notifications(actor text, before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id bigint DEFAULT NULL::bigint, page_size integer DEFAULT 50) RETURNS TABLE(id bigint, created_at timestamp with time zone, expires_at timestamp with time zone, group_id text, type notification_type, message text, content jsonb, is_read boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
  perform require_actor(actor);
  if page_size is null or page_size not between 1 and 200 then
    perform refuse('invalidInput', 'a page has 1 to 200 rows', 'Nothing was read. Ask for fewer.');
  end if;
  return query
  select n.id, n.created_at, n.created_at + notification_lifetime(), n.group_id, n.type,
    coalesce(n.content ->> 'message', ''), n.content - 'message', n.is_read
  from visible_notification n
  where n.user_id = actor
    and (before is null or (n.created_at, n.id) < (before, coalesce(before_id, 0)))
  order by n.created_at desc, n.id desc
  limit page_size;
end $$;

CREATE FUNCTION notify_workers(lock_key bigint, jobs text DEFAULT ''::text) RETURNS void
    LANGUAGE sql
    AS $$
  select pg_catalog.pg_notify('baton_' || lock_key, case when octet_length(jobs) < 7000 then jobs else '' end)
$$;

CREATE FUNCTION baton.now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN domain_now();

CREATE FUNCTION observe(feed text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  observed bigint := observer_key(feed);
begin
  if observed is null then
    return null;
  end if;
  execute format('listen %I', 'baton_' || observed);
  return pg_try_advisory_lock_shared(observed);
end $$;

CREATE FUNCTION observer_key(feed text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (select hashtextextended(feed, lock_key) from event_target where may_wake);
end $$;

CREATE FUNCTION other_streak(of_user text, of_group text, of_week date, policy streak_policy, source streak_source, OUT streak integer, OUT streak_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  day workout_day;
  last_day workout_day;
  streak_here integer;
begin
  streak := 0;
  if source = 'reported' then
    select r.streak_days, r.reported_at into streak, streak_at
    from reported_streak r
    where r.user_id = of_user and r.group_id = of_group and r.week_start = of_week
    order by r.id desc
    limit 1;
    streak := coalesce(streak, 0);
  elsif policy = 'lastRun' then
    select d.streak, d.first_at into streak, streak_at
    from workout_day d
    where d.user_id = of_user and d.group_id = of_group
      and d.local_date between of_week - 1 and of_week + 7 and d.week_start = of_week
      and d.streak = (
        select l.streak from workout_day l
        where l.user_id = of_user and l.group_id = of_group
          and l.local_date between of_week - 1 and of_week + 7 and l.week_start = of_week
        order by l.local_date desc
        limit 1)
    order by d.local_date
    limit 1;
    streak := coalesce(streak, 0);
  else
    for day in
      select * from workout_day d
      where d.user_id = of_user and d.group_id = of_group
        and d.local_date between of_week - 1 and of_week + 7 and d.week_start = of_week
      order by d.local_date
    loop
      streak_here := case
        when day.local_date = last_day.local_date + 1
          or day.local_date = last_day.local_date + 2
            and day.first_at - last_day.last_at < interval '30 hours'
            and day.first_offset_s <> last_day.last_offset_s then streak_here + 1
        else 1
      end;
      -- A week of UTC touches eight local dates.
      streak_here := least(streak_here, 7);
      if streak_here > streak then
        streak := streak_here;
        streak_at := day.first_at;
      end if;
      last_day := day;
    end loop;
  end if;
end $$;

COMMENT ON FUNCTION preview_invite(actor text, token text) IS 'Name and size of the group that an invite is for.';

CREATE FUNCTION preview_invite(actor text, token text) RETURNS invite_preview
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  it groups;
begin
  perform require_actor(actor);
  perform count_attempt(actor);
  select * into it from groups g where g.id = invited_group(token);
  if it.id is null then
    return row('inviteInvalid', null, null, null)::invite_preview;
  end if;
  update invite_attempt a set attempts = a.attempts - 1 where a.user_id = actor;
  insert into usage_log (recorded_at, kind, group_id, user_id, invite_id)
  select domain_now(), 'invite_previewed', it.id, actor, i.id
  from (select invite_of(token) as id) i
  where i.id is not null
  on conflict do nothing;
  return row(null, it.name, it.member_count, it.member_count >= it.max_members)::invite_preview;
end $$;

COMMENT ON FUNCTION promote(actor text, group_id text, user_id text) IS 'An admin makes another member an admin too. Safe to repeat.';

CREATE FUNCTION promote(actor text, group_id text, user_id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  it groups;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  perform require_admin(actor, it.id);
  update member m set role = 'admin'
  where m.group_id = it.id and m.user_id = promote.user_id and m.left_at is null;
  if not found then
    perform refuse_stranger(user_id, it.id);
  end if;
end $$;

CREATE FUNCTION purge_audit() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  oldest constant date := (select min(day) from audit);
  removed bigint := 0;
begin
  if oldest < (pg_catalog.now() at time zone 'UTC')::date - 400 then
    perform from audit_chain for update;
    delete from audit where day = oldest;
    get diagnostics removed = row_count;
  end if;
  return removed;
end $$;

CREATE FUNCTION read_run_life(of_id bigint, of_job text, of_key text) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  found_run jsonb;
  made_at timestamptz;
  ids bigint[];
begin
  select to_jsonb(r), least(r.first_event_at, r.asked_at) into found_run, made_at
  from run r
  where r.job = of_job and r.key = of_key and (r.id = of_id or of_id = any (r.earlier_ids))
  limit 1;
  if found_run is null then
    select to_jsonb(d) || '{"state": "dead"}', d.first_event_at into found_run, made_at
    from dead_run d where d.id = of_id;
  end if;
  if found_run is null then
    select to_jsonb(r), least(r.first_event_at, r.asked_at) into found_run, made_at
    from run r
    where r.id = of_id or of_id = any (r.earlier_ids)
    limit 1;
  end if;
  if found_run is null then
    select to_jsonb(d) || '{"state": "dead"}', d.first_event_at into found_run, made_at
    from dead_run d where of_id = any (d.earlier_ids)
    limit 1;
  end if;
  -- Asked for, and not folded yet.
  if found_run is null then
    select jsonb_build_object('id', e.run_id, 'job', substr(e.topic, length('enqueue/') + 1), 'key', e.key,
        'state', 'unfolded', 'payload', e.payload, 'run_at', e.run_at, 'priority', e.priority),
      e.recorded_at
    into found_run, made_at
    from unfolded_event e where e.run_id = of_id
    limit 1;
  end if;
  if found_run is null then
    select jsonb_build_object('id', h.id, 'job', h.job, 'key', h.key, 'state', h.outcome,
        'attempt', h.attempt, 'earlier_ids', h.earlier_ids, 'error', h.error,
        'last_event_at', h.last_event_at, 'ended_at', h.created_at), h.made_at
    into found_run, made_at
    from run_history h
    where h.id = of_id or h.earlier_ids @> array[of_id]
    order by h.created_at desc
    limit 1;
  end if;
  -- Of a job that keeps no history: it was done, or forgotten when it was dead.
  if found_run is null then
    select jsonb_build_object('id', a.run_id, 'job', a.job, 'key', a.key, 'state', 'ended')
    into found_run
    from failed_attempt a where a.run_id = of_id
    limit 1;
  end if;
  if found_run is null then
    return null;
  end if;
  select (found_run->>'id')::bigint || coalesce(array_agg(i.id::bigint), '{}') into ids
  from jsonb_array_elements_text(coalesce(nullif(found_run->'earlier_ids', 'null'), '[]')) i (id);
  return jsonb_strip_nulls(jsonb_build_object(
    'id', found_run->'id', 'job', found_run->'job', 'key', redacted(found_run->>'key'),
    'state', found_run->'state', 'attempt', found_run->'attempt', 'priority', found_run->'priority',
    'error', redacted(coalesce(found_run->>'last_error', found_run->>'error')),
    'hasPayload', coalesce(found_run->'payload', 'null') <> 'null',
    'worker', (select w.name from worker w where w.id = (found_run->>'worker')::uuid),
    'earlierIds', coalesce(nullif(found_run->'earlier_ids', 'null'), '[]'),
    'madeAt', iso_text(made_at, '.US'),
    'cancelRequestedAt', (
      select iso_text(c.requested_at, '.US') from cancellation c
      where c.run_id = (found_run->>'id')::bigint and found_run->>'state' = 'running')))
    || (
      select coalesce(jsonb_object_agg(i.name, iso_text(i.at, '.US')), '{}')
      from (values ('due', found_run->>'due'), ('lastEventAt', found_run->>'last_event_at'),
        ('runAt', found_run->>'run_at'), ('backoffUntil', found_run->>'backoff_until'),
        ('diedAt', found_run->>'died_at'), ('endedAt', found_run->>'ended_at')) t (name, text),
      lateral (select t.name, t.text::timestamptz as at) i
      where isfinite(i.at))
    || jsonb_build_object('attempts', (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'run', nullif(a.run_id, (found_run->>'id')::bigint), 'attempt', a.attempt, 'outcome', a.outcome,
          'worker', a.worker, 'beganAt', iso_text(a.began_at, '.US'), 'endedAt', iso_text(a.ended_at, '.US'),
          'error', redacted(a.error), 'report', nullif(a.report, '{}'))) order by a.ended_at), '[]')
      from (
        select f.run_id, f.attempt, 'failed' as outcome, f.worker, f.began_at, f.ended_at, f.error,
          null::jsonb as report
        from failed_attempt f where f.run_id = any (ids)
        union all
        select h.id, h.attempt, h.outcome, h.worker, h.started_at, h.created_at, null, h.report
        from run_history h
        -- What died has failed attempts, and what was cancelled while it waited had none under way.
        where h.id = any (ids) and h.outcome <> 'dead' and h.started_at is not null) a),
      'actions', (
      select coalesce(jsonb_agg(jsonb_build_object('at', iso_text(u.at, '.US'), 'action', u.action,
          'by', redacted(coalesce(u.os_user, u.login))) order by u.day, u.number), '[]')
      from (select * from audit order by day desc, number desc limit 10000) u
      where (u.subject->>'run')::bigint = any (ids)));
end $$;

CREATE FUNCTION record_audit(action text, subject jsonb DEFAULT '{}'::jsonb, before jsonb DEFAULT NULL::jsonb, after jsonb DEFAULT NULL::jsonb, filter jsonb DEFAULT NULL::jsonb, count bigint DEFAULT NULL::bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  chain audit_chain;
  entry audit;
begin
  -- Somebody's open transaction is not waited for without end.
  if current_setting('lock_timeout') in ('0', '0ms') then
    perform set_config('lock_timeout', '10s', true);
  end if;
  select * into chain from audit_chain for update;
  if not found then
    raise exception 'the audit has lost its chain, so nothing can be done by hand'
      using errcode = 'ZB015', hint = 'Nothing was changed. Somebody emptied audit_chain: restore its row.';
  end if;
  -- Behind the lock, so that rows stand in the order of their times.
  entry.at := clock_timestamp();
  entry.day := greatest((entry.at at time zone 'UTC')::date, chain.last_day);
  entry.number := case when entry.day = chain.last_day then chain.last_number + 1 else 1 end;
  entry.login := session_user;
  entry.role := caller();
  entry.os_user := left(nullif(current_setting('baton.os_user', true), ''), 128);
  entry.host := left(nullif(current_setting('baton.host', true), ''), 128);
  entry.program := left(nullif(current_setting('baton.program', true), ''), 128);
  entry.application := current_setting('application_name');
  entry.client := inet_client_addr();
  entry.action := record_audit.action;
  entry.subject := record_audit.subject;
  entry.before := record_audit.before;
  entry.after := record_audit.after;
  entry.filter := record_audit.filter;
  entry.count := record_audit.count;
  entry.previous := chain.last_hash;
  entry.hash := audit_hash(entry);
  insert into audit select entry.*;
  update audit_chain set last_day = entry.day, last_number = entry.number, last_hash = entry.hash;
end $$;

CREATE FUNCTION record_events() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "IntervalStyle" TO 'postgres'
    SET extra_float_digits TO '1'
    SET bytea_output TO 'hex'
    AS $$
declare
  keys text[];
begin
  if tg_op = 'DELETE' then
    keys := array(select distinct to_jsonb(o) ->> tg_argv[1] from old_row o);
  else
    keys := array(select distinct to_jsonb(n) ->> tg_argv[1] from new_row n);
  end if;
  if keys <> '{}' then
    perform append_events(tg_argv[0], keys);
  end if;
  return null;
end $$;

CREATE FUNCTION record_history(ended text, runs run[], errors text[] DEFAULT NULL::text[], took_ms bigint DEFAULT NULL::bigint, report jsonb DEFAULT NULL::jsonb, output jsonb DEFAULT NULL::jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  at timestamptz := clock_timestamp();
begin
  insert into run_history (partition, created_at, id, job, key, attempt, outcome, started_at, duration_ms,
    report, error, output, worker, made_at, last_event_at, earlier_ids)
  select day_partition(at), at, r.id, r.job, r.key, r.attempt, ended,
    at - took_ms * interval '1 millisecond', took_ms, report, r.unnest, output, w.name,
    least(r.first_event_at, r.asked_at), r.last_event_at, r.earlier_ids
  -- The second has no columns of its own, so it is named like the function.
  from rows from (unnest(runs), unnest(errors)) r
  left join worker w on w.id = r.worker;
end $$;

CREATE FUNCTION record_workout(user_id text, workout_id text, performed_at timestamp with time zone DEFAULT NULL::timestamp with time zone, utc_offset_s integer DEFAULT NULL::integer, revision integer DEFAULT 0) RETURNS workout_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  received constant timestamptz := domain_now();
  effective constant timestamptz := coalesce(record_workout.performed_at, received);
  known workout;
  refused refused_edit;
  refusal text;
  who record;
  boards record;
  new_values record;
  row workout;
  week date;
  last_week date;
  locked_week date;
  has_days boolean;
  looked_again boolean := false;
begin
  perform check_workout_call(user_id, workout_id, revision);
  loop
    -- A retry gets its first answer, before any other test and however late.
    select * into known from workout w
    where w.user_id = record_workout.user_id and w.workout_id = record_workout.workout_id;
    if found then
      if revision < known.revision then
        return row('duplicate', null, known.week_start, false)::workout_answer;
      elsif revision = known.revision and not known.is_deleted
        and (known.sent_performed_at, known.sent_utc_offset_s)
        is not distinct from (record_workout.performed_at, record_workout.utc_offset_s) then
        return row(known.outcome, known.reason, known.week_start, true)::workout_answer;
      end if;
      select * into refused from refused_edit r
      where r.user_id = known.user_id and r.workout_id = known.workout_id
        and r.revision = record_workout.revision and not r.is_deletion
        and (r.sent_performed_at, r.sent_utc_offset_s)
          is not distinct from (record_workout.performed_at, record_workout.utc_offset_s);
      if found then
        return row('rejected', refused.reason, refused.week_start, true)::workout_answer;
      elsif revision = known.revision then
        return row('rejected', 'idempotencyConflict', known.week_start, false)::workout_answer;
      end if;
    end if;

    -- From here on, one call of a member at a time.
    update member m set calls = m.calls + 1
    from active_group a, users u, setting s
    where a.user_id = record_workout.user_id and u.id = a.user_id and u.shares_workouts
      and m.group_id = a.group_id and m.user_id = a.user_id and m.left_at is null
      -- Whoever waited for a change of the user has read the user before it.
      and m.user_version <= u.version
    returning m.group_id, m.joined_at, m.has_left, u.display_name, u.photo_url, u.time_zone,
      s.max_checkins_per_day, s.streak_policy, s.streak_source,
      u.has_paused
    into who;
    if who.group_id is null then
      -- Locked, so that an account that goes at this moment is gone here too.
      select null::identifier as group_id, u.time_zone, u.shares_workouts, true as has_paused,
        exists (
          select from active_group a
          join member m on m.group_id = a.group_id and m.user_id = a.user_id
          where a.user_id = u.id and m.left_at is null) as is_member
      into who
      from users u where u.id = record_workout.user_id for key share of u;
      if not found then
        raise exception 'there is no user %', quote_literal(user_id)
          using errcode = 'ZB001', hint = 'Nothing was written. Create the user before recording workouts.';
      elsif not who.shares_workouts then
        perform count_ignored(received);
        return row('ignoredPrivacy', null, null, false)::workout_answer;
      elsif who.is_member and not looked_again then
        -- The user joined or shares again since the look before, or was changed while this call waited.
        looked_again := true;
        continue;
      end if;
    end if;

    if utc_offset_s not between -43200 and 50400 then
      return row('rejected', 'utcOffsetOutOfRange', null, false)::workout_answer;
    elsif effective < received - interval '2160 hours' then
      return row('expired', null, null, false)::workout_answer;
    end if;
    row.user_id := user_id;
    row.workout_id := workout_id;
    row.sent_performed_at := record_workout.performed_at;
    row.sent_utc_offset_s := record_workout.utc_offset_s;
    row.revision := revision;
    row.group_id := who.group_id;
    row.performed_at := least(effective, received);
    row.utc_offset_s := coalesce(utc_offset_s, extract(epoch from
      row.performed_at at time zone coalesce(who.time_zone, 'UTC')
      - row.performed_at at time zone 'UTC'));
    row.local_date := row.performed_at at time zone 'UTC' + make_interval(secs => row.utc_offset_s);
    row.week_start := week_of(row.performed_at);
    row.received_at := received;
    row.counted := false;
    row.missed_board := false;
    row.is_deleted := false;
    row.reason := null;
    if who.has_paused then
      -- Nothing is stored of what was performed while sharing was off, whatever comes of it.
      if exists (
        select from sharing_pause p
        where p.user_id = record_workout.user_id and p.began_at <= row.performed_at
          and (p.ended_at is null or row.performed_at < p.ended_at)) then
        perform count_ignored(received);
        return row('ignoredPrivacy', null, null, false)::workout_answer;
      end if;
    end if;
    if effective < received - interval '168 hours' then
      row.outcome := 'rejected';
      row.reason := 'tooOld';
    elsif effective > received + interval '5 minutes' then
      row.outcome := 'rejected';
      row.reason := 'futureTimestamp';
    elsif who.group_id is null then
      row.outcome := 'noActiveGroup';
    elsif effective < who.joined_at then
      row.outcome := 'notCounted';
      row.reason := 'beforeJoining';
    elsif who.has_left and not exists (
      select from membership i
      where i.group_id = who.group_id and i.user_id = record_workout.user_id
        and i.joined_at <= effective and (i.left_at is null or effective < i.left_at))
    then
      row.outcome := 'notCounted';
      row.reason := 'notAMember';
    else
      select * into boards from lock_boards(who.group_id, row.week_start);
      locked_week := row.week_start;
      row.outcome := case when boards.are_open then 'accepted' else 'acceptedLate' end;
      row.counted := true;
      row.missed_board := not boards.are_open;
    end if;

    if known.user_id is not null then
      refusal := case
        when row.outcome = 'rejected' then row.reason
        when known.group_id is distinct from row.group_id then 'otherGroup'
        -- A workout counts in one week: what a closed board shows stays in it.
        when known.counted and not known.missed_board
          and (known.week_start <> row.week_start or not row.counted)
          and not (select b.are_open from lock_boards(known.group_id, known.week_start) b)
          then 'weekClosed'
      end;
      if refusal is not null then
        insert into refused_edit (user_id, workout_id, revision, sent_performed_at,
          sent_utc_offset_s, reason, week_start)
        values (user_id, workout_id, revision, record_workout.performed_at,
          record_workout.utc_offset_s, refusal, known.week_start)
        on conflict do nothing;
        -- Not found: the same call was refused while this one waited. Begin again.
        continue when not found;
        return row('rejected', refusal, known.week_start, false)::workout_answer;
      end if;
      if row.missed_board and known.counted and known.week_start = row.week_start then
        row.missed_board := known.missed_board;
      end if;
      update workout w
      set sent_performed_at = row.sent_performed_at, sent_utc_offset_s = row.sent_utc_offset_s,
        revision = row.revision, performed_at = row.performed_at, utc_offset_s = row.utc_offset_s,
        local_date = row.local_date, week_start = row.week_start, counted = row.counted,
        outcome = row.outcome, reason = row.reason, received_at = row.received_at,
        missed_board = row.missed_board, is_deleted = false
      where w.user_id = known.user_id and w.workout_id = known.workout_id
        and (w.revision, w.missed_board) = (known.revision, known.missed_board)
        and not exists (
          select from refused_edit r
          where r.user_id = w.user_id and r.workout_id = w.workout_id
            and r.revision = row.revision and not r.is_deletion
            and (r.sent_performed_at, r.sent_utc_offset_s)
              is not distinct from (row.sent_performed_at, row.sent_utc_offset_s));
    else
      insert into workout values (row.*) on conflict do nothing;
    end if;
    -- Not found: the same key was recorded, the same edit refused or the workout's week reopened while
    -- this call waited. Begin again.
    exit when found;
  end loop;

  if known.counted then
    perform refresh_day(user_id, known.group_id, known.local_date, known.week_start);
  end if;
  if row.counted then
    perform refresh_day(user_id, row.group_id, row.local_date, row.week_start);
  elsif not coalesce(known.counted, false) then
    return row(row.outcome, row.reason, row.week_start, false)::workout_answer;
  end if;
  -- The week itself and, because streaks are carried over, those behind it without a gap. An edit
  -- that comes from another week passes by the weeks between where there is nothing: it makes no board.
  week := least(
    case when row.counted then row.week_start end, case when known.counted then known.week_start end);
  last_week := greatest(
    case when row.counted then row.week_start end, case when known.counted then known.week_start end);
  loop
    select * into new_values
    from refresh_week(user_id, who.group_id, week, who.max_checkins_per_day, who.streak_policy,
      who.streak_source);
    if week is distinct from locked_week then
      select * into boards from lock_boards(who.group_id, week);
      locked_week := week;
    end if;
    if boards.are_open then
      perform write_entries(user_id, who.joined_at, who.display_name, who.photo_url, received,
        array[boards.check_ins_board, boards.streak_board],
        array[new_values.check_ins, new_values.streak],
        array[new_values.check_ins_at, new_values.streak_at]);
    end if;
    loop
      week := week + 7;
      -- Nothing was performed in a week to come, so usually nothing is looked for.
      has_days := week <= week_of(received);
      if has_days then
        has_days := exists (
          select from workout_day d
          where d.user_id = record_workout.user_id and d.group_id = who.group_id
            and d.local_date between week - 1 and week + 7 and d.week_start = week);
      end if;
      exit when has_days or week >= last_week;
    end loop;
    exit when week > last_week and not has_days;
  end loop;
  return row(row.outcome, row.reason, row.week_start, false)::workout_answer;
end $$;

COMMENT ON FUNCTION record_workout(user_id text, workout_id text, performed_at timestamp with time zone, utc_offset_s integer, revision integer) IS 'Records one workout; every outcome is final. Safe to repeat with the same user and workout id.';

CREATE FUNCTION recount_members(of_group text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
select count_members(array[of_group])
$$;

CREATE FUNCTION redacted(original text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((strpos(original, '@'::text) = 0) AND (strpos(original, '%40'::text) = 0)) THEN original ELSE regexp_replace(original, '[^\s@<>"''(),;:=/]+(@|%40)[^\s@<>"''(),;:=/]+'::text, '[address]'::text, 'g'::text) END;

CREATE FUNCTION refresh_day(of_user text, of_group text, of_date date, of_week date) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  found_one record;
  earliest record;
  latest record;
  n integer := 0;
begin
  -- One statement, as it is in every call of record_workout. Of two workouts at one instant the one with the
  -- smaller offset is the earlier.
  for found_one in
    select performed_at as at, utc_offset_s as offset_s from workout w
    where w.user_id = of_user and w.local_date = of_date and w.counted
      and w.group_id = of_group and w.week_start = of_week
    order by performed_at, utc_offset_s
  loop
    if n = 0 then
      earliest := found_one;
    end if;
    latest := found_one;
    n := n + 1;
  end loop;
  if n = 0 then
    delete from workout_day d
    where d.user_id = of_user and d.group_id = of_group and d.local_date = of_date
      and d.week_start = of_week;
    return;
  end if;
  insert into workout_day as d (user_id, group_id, local_date, week_start, workouts,
    first_at, first_offset_s, last_at, last_offset_s)
  values (of_user, of_group, of_date, of_week, n,
    earliest.at, earliest.offset_s, latest.at, latest.offset_s)
  on conflict (user_id, group_id, local_date, week_start) do update
  set workouts = excluded.workouts, first_at = excluded.first_at,
    first_offset_s = excluded.first_offset_s, last_at = excluded.last_at,
    last_offset_s = excluded.last_offset_s;
end $$;

CREATE FUNCTION refresh_week(of_user text, of_group text, of_week date, max_per_day integer, policy streak_policy, source streak_source, OUT check_ins integer, OUT check_ins_at timestamp with time zone, OUT streak integer, OUT streak_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  day workout_day;
  reached_date date;
  streak_here integer;
  last_at timestamptz;
  last_offset_s integer;
begin
  check_ins := 0;
  streak := 0;
  for day in
    select * from workout_day d
    where d.user_id = of_user and d.group_id = of_group
      and d.local_date between of_week - 3 and of_week + 7 and d.week_start <= of_week
    order by d.local_date, d.week_start
  loop
    if day.local_date is distinct from reached_date then
      streak_here := case
        when day.local_date <= of_week - 2 then day.streak
        when day.local_date = reached_date + 1 then streak_here + 1
        -- One missing date is bridged where the traveller's clock, not the traveller, skipped it.
        when day.local_date = reached_date + 2 and day.first_at - last_at < interval '30 hours'
          and day.first_offset_s <> last_offset_s then streak_here + 1
        else 1
      end;
      reached_date := day.local_date;
    end if;
    last_at := day.last_at;
    last_offset_s := day.last_offset_s;
    if day.week_start = of_week then
      check_ins := check_ins + day.workouts;
      check_ins_at := greatest(check_ins_at, day.last_at);
      if streak_here > streak then
        streak := streak_here;
        streak_at := day.first_at;
      end if;
      if day.streak <> streak_here then
        update workout_day d set streak = streak_here
        where d.user_id = of_user and d.group_id = of_group
          and d.local_date = day.local_date and d.week_start = of_week;
      end if;
    end if;
  end loop;
  if policy <> 'peak' or source <> 'ledger' then
    select * into streak, streak_at
    from other_streak(of_user, of_group, of_week, policy, source);
  end if;
  if max_per_day > 0 then
    select count(*), max(w.performed_at) into check_ins, check_ins_at
    from (
      select performed_at, week_start,
        row_number() over (partition by local_date order by performed_at, utc_offset_s) as nth
      from workout
      where user_id = of_user and group_id = of_group and counted
        and local_date between of_week - 1 and of_week + 7 and week_start <= of_week
    ) w
    where w.nth <= max_per_day and w.week_start = of_week;
  end if;
end $$;

CREATE FUNCTION refuse(problem text, message text, hint text, detail text DEFAULT ''::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  raise exception using
    errcode = case problem
      when 'notAuthenticated' then 'ZG001'
      when 'alreadyInGroup' then 'ZG002'
      when 'groupNotFound' then 'ZG003'
      when 'groupFull' then 'ZG004'
      when 'notGroupAdmin' then 'ZG005'
      when 'challengeNotFound' then 'ZG006'
      when 'invalidChallengeType' then 'ZG007'
      when 'challengeExpired' then 'ZG008'
      when 'inviteInvalid' then 'ZG009'
      when 'tooManyAttempts' then 'ZG010'
      when 'notAMember' then 'ZG011'
      when 'invalidInput' then 'ZG012'
      when 'conflictingRepeat' then 'ZG013'
      when 'streakIsDerived' then 'ZG014'
    end,
    constraint = problem, message = message, hint = hint, detail = detail;
end $$;

CREATE FUNCTION refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception '% of % is refused: the audit is only appended to', tg_op, tg_table_name
    using errcode = 'ZB014', hint = 'Nothing was changed. What is older than 400 days goes by purge_audit.';
end $$;

CREATE FUNCTION refuse_group(of_group text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform refuse('groupNotFound', format('there is no group %s', quote_nullable(left(of_group, 64))),
    'Nothing was changed. The group may have been deleted: read the groups of the user again.');
end $$;

CREATE FUNCTION refuse_origin(origin text) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'jobs wake each other by what they write, and nothing ends it: %', substr(origin, 4)
    using errcode = 'ZB013',
      hint = 'Nothing of this work stays. Let the job write only what differs, or watch other columns.';
end $$;

CREATE FUNCTION refuse_second_group(of_user text, of_group text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform refuse('alreadyInGroup', format('user %s is a member of group %s', quote_literal(of_user),
    quote_literal(of_group)), 'Nothing was changed. Leave that group first.', of_group);
end $$;

CREATE FUNCTION refuse_stranger(of_user text, of_group text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform refuse('notAMember', format('user %s is not a member of group %s',
    quote_nullable(left(of_user, 64)), quote_literal(of_group)),
    'Nothing was changed. Read the members of the group again.');
end $$;

CREATE FUNCTION refused_viewers(viewers text[], of_groups text[]) RETURNS TABLE(number bigint, refusal text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
begin
  return query
  select v.number,
    case
      when not exists (select from users u where u.id = v.user_id) then 'notAuthenticated'
      when not exists (select from groups g where g.id = v.group_id and g.is_active) then 'groupNotFound'
      else 'notAMember'
    end
  from unnest(viewers, of_groups) with ordinality v (user_id, group_id, number)
  where (
    select true from member m
    where m.group_id = v.group_id and m.user_id = v.user_id and m.left_at is null) is null;
end $$;

COMMENT ON FUNCTION refused_viewers(viewers text[], of_groups text[]) IS 'Which viewers may not see the boards of a group, and why.';

COMMENT ON FUNCTION remove_member(actor text, group_id text, user_id text) IS 'An admin ends the membership of another member. Safe to repeat.';

CREATE FUNCTION remove_member(actor text, group_id text, user_id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  it groups;
  ended membership;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  perform require_admin(actor, it.id);
  if user_id = actor then
    perform refuse('invalidInput', format('user %s cannot remove themselves', quote_literal(actor)),
      'Nothing was changed. Call leave_group.');
  end if;
  select * into ended from membership i
  where i.group_id = it.id and i.user_id = remove_member.user_id
  order by i.left_at desc nulls first
  limit 1;
  if ended.user_id is null or ended.left_at is not null and ended.removed_by is null then
    perform refuse_stranger(user_id, it.id);
  elsif ended.left_at is null then
    perform end_membership(it.id, ended.user_id, actor);
  end if;
end $$;

CREATE FUNCTION reopen_week(group_id text, week_start date, reason text, hold interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  at constant timestamptz := domain_now();
  until constant timestamptz := at + in_seconds(hold);
  was_closed_at timestamptz;
  reopened integer;
  boards record;
  who record;
  new_values record;
begin
  if coalesce(trim(reason), '') = '' then
    raise exception 'a week is not reopened without a reason'
      using errcode = 'ZB020', hint = 'Nothing was changed. Say why; it is kept in week_reopening.';
  elsif hold is null or hold <= interval '0' or hold > interval '7 days' then
    raise exception 'a week is reopened for more than nothing and at most 7 days, not for % seconds',
      coalesce(extract(epoch from hold)::text, 'null')
      using errcode = 'ZB021', hint = 'Nothing was changed. Give the time that the correction takes.';
  end if;
  -- Whoever is recording a workout is waited for, as one call of a member waits for another: what it
  -- writes to the ledger is then seen here. In one order, so that two reopenings do not wait crosswise.
  perform from member m where m.group_id = reopen_week.group_id order by m.user_id for update;
  select max(c.closed_at) into was_closed_at from challenge c
  where c.group_id = reopen_week.group_id and c.week_start = reopen_week.week_start
    and c.state = 'closed';
  update challenge c set state = 'open', closed_at = null, reopened_until = until
  where c.group_id = reopen_week.group_id and c.week_start = reopen_week.week_start
    and c.state = 'closed';
  get diagnostics reopened = row_count;
  if reopened = 0 then
    raise exception 'group % has no closed board in the week of %', quote_nullable(group_id),
      to_char(week_start::timestamp, 'YYYY-MM-DD')
      using errcode = 'ZB022', hint = 'Nothing was changed. `baton week status` lists the weeks.';
  end if;
  insert into week_reopening (group_id, week_start, reason, reopened_by, closed_at, reopened_at,
    reopened_until)
  values (reopen_week.group_id, reopen_week.week_start, reason, session_user, was_closed_at, at, until);

  select * into boards from lock_boards(group_id, week_start);
  for who in
    select m.user_id, m.joined_at, u.display_name, u.photo_url, s.max_checkins_per_day,
      s.streak_policy, s.streak_source,
      not u.shares_workouts
        or coalesce(m.left_at < (reopen_week.week_start + 7)::timestamp at time zone 'UTC', false)
        as is_away
    from member m
    join users u on u.id = m.user_id, setting s
    where m.group_id = reopen_week.group_id and boards.are_open
    order by m.user_id
  loop
    update workout w set missed_board = false
    where w.user_id = who.user_id and w.counted and w.missed_board
      and w.local_date between reopen_week.week_start - 1 and reopen_week.week_start + 7
      and w.group_id = reopen_week.group_id and w.week_start = reopen_week.week_start;
    select * into new_values
    from refresh_week(who.user_id, group_id, week_start, who.max_checkins_per_day,
      who.streak_policy, who.streak_source);
    -- What was 0 at the close was not seen: such an entry is like one that is new.
    update entry e set hidden = who.is_away
    where e.challenge_id in (boards.check_ins_board, boards.streak_board)
      and e.user_id = who.user_id and e.value = 0 and e.hidden <> who.is_away;
    perform write_entries(who.user_id, who.joined_at, who.display_name, who.photo_url, at,
      array[boards.check_ins_board, boards.streak_board],
      array[new_values.check_ins, new_values.streak],
      array[new_values.check_ins_at, new_values.streak_at],
      -- What the board showed it shows again.
      who.is_away);
  end loop;
  -- Behind all other locks.
  perform record_audit('week reopen', jsonb_build_object('group', group_id, 'week', week_start),
    jsonb_build_object('state', 'closed', 'closed_at', iso_text(was_closed_at)),
    jsonb_build_object('state', 'open', 'boards', reopened, 'reopened_until', iso_text(until),
      'reason', left(reason, 500)));
  return reopened;
end $$;

COMMENT ON FUNCTION report_client_event(actor text, event_id uuid, kind text, milliseconds integer) IS 'Counts what a phone of the actor reports. Safe to repeat with the same id.';

CREATE FUNCTION report_client_event(actor text, event_id uuid, kind text, milliseconds integer DEFAULT NULL::integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  at constant timestamptz := domain_now();
begin
  perform require_claim(actor);
  if event_id is null or kind is null
    or kind not in (select unnest(enum_range(null::client_event_kind))::text) then
    perform refuse('invalidInput', 'a client event needs an id and a kind that there is',
      'Nothing was counted. Send write_failed, link_failed or board_fetched.');
  elsif (kind = 'board_fetched') <> (milliseconds is not null)
    or milliseconds not between 0 and 600000 then
    perform refuse('invalidInput', 'a board_fetched took 0 to 600,000 ms; nothing else has a time',
      'Nothing was counted. Send the time of a board_fetched, and of nothing else.');
  end if;
  perform from users u where u.id = actor for no key update;
  if not found then
    perform require_actor(actor);
  end if;
  if exists (select from client_event e where e.user_id = actor and e.id = event_id) then
    return true;
  elsif (select count(*) from client_event e
      where e.user_id = actor
        and e.recorded_at >= date_trunc('day', at at time zone 'UTC') at time zone 'UTC')
    >= (select client_events_a_day from setting) then
    return false;
  end if;
  insert into client_event (id, user_id, kind, milliseconds, recorded_at)
  values (event_id, actor, report_client_event.kind::client_event_kind,
    report_client_event.milliseconds, at);
  return true;
end $$;

CREATE FUNCTION require_actor(actor text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform require_claim(actor);
  if not exists (select from users u where u.id = actor) then
    perform refuse('notAuthenticated', format('there is no user %s', quote_nullable(left(actor, 64))),
      'Nothing was changed. Sign in first: the API makes the user then.');
  end if;
end $$;

CREATE FUNCTION require_admin(actor text, of_group text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if require_member(actor, of_group) <> 'admin' then
    perform refuse('notGroupAdmin', format('user %s is not an admin of group %s', quote_literal(actor),
      quote_literal(of_group)), 'Nothing was changed. Ask an admin of the group.');
  end if;
end $$;

CREATE FUNCTION require_claim(actor text) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
  if not speaks_for(actor) then
    perform refuse('notAuthenticated', format('this transaction does not speak for user %s',
      quote_nullable(left(actor, 64))),
      'Nothing was changed. Set the role and a claim of this user in the same transaction: docs/security.md.');
  end if;
end $$;

CREATE FUNCTION require_member(actor text, of_group text) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  role_there text;
begin
  perform require_actor(actor);
  select m.role into role_there from member m
  where m.group_id = of_group and m.user_id = actor and m.left_at is null;
  if found then
    return role_there;
  end if;
  if not exists (select from groups g where g.id = of_group and g.is_active) then
    perform refuse_group(of_group);
  end if;
  perform refuse('notAMember', format('user %s is not a member of group %s', quote_literal(actor),
    quote_literal(of_group)), 'Nothing was changed. Join the group with an invite first.');
  return null;
end $$;

COMMENT ON FUNCTION revoke_invite(actor text, invite_id uuid) IS 'Whoever made an invite, or an admin, revokes it. Safe to repeat.';

CREATE FUNCTION revoke_invite(actor text, invite_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  it invite;
begin
  perform require_actor(actor);
  select * into it from invite i where i.id = invite_id;
  if it.id is null then
    perform refuse('inviteInvalid', format('there is no invite %s', coalesce(invite_id::text, 'null')),
      'Nothing was changed. list_invites has the ids.');
  end if;
  perform lock_group(it.group_id);
  if require_member(actor, it.group_id) <> 'admin' and it.created_by <> actor then
    perform refuse('notGroupAdmin', format('user %s did not make invite %s', quote_literal(actor),
      invite_id), 'Nothing was changed. Ask an admin of the group.');
  end if;
  update invite i set revoked_at = domain_now() where i.id = it.id and i.revoked_at is null;
end $$;

CREATE FUNCTION role_of(kind text) RETURNS text
    LANGUAGE sql STABLE
    RETURN (SELECT ((access.prefix || '_'::text) || role_of.kind) FROM access);

CREATE FUNCTION rotate_claim_key(secret bytea DEFAULT NULL::bytea) RETURNS TABLE(key_id integer, key text)
    LANGUAGE plpgsql
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  -- A uuid has 122 random bits.
  chosen constant bytea := coalesce(secret, sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
  new_id integer;
begin
  if octet_length(chosen) < 32 then
    raise exception 'a key of % bytes is too short', octet_length(chosen)
      using errcode = '22023',
        hint = 'Nothing was changed. Give 32 random bytes, or none: then the server makes them.';
  end if;
  lock table claim_key in share row exclusive mode;
  new_id := coalesce((select max(k.id) from claim_key k), 0) + 1;
  delete from claim_key k where k.id < greatest(new_id - 1, 1);
  insert into claim_key (id, inner_block, outer_block)
  values (new_id, hmac_block(chosen, x'3636363636363636'::bigint),
    hmac_block(chosen, x'5c5c5c5c5c5c5c5c'::bigint));
  return query select new_id, encode(chosen, 'hex');
end $$;

CREATE FUNCTION rotate_event_log() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  at event_segment;
  emptied integer := 0;
  holds_rows boolean[] := array[
    exists (select from event_0), exists (select from event_1), exists (select from event_2)];
begin
  select * into at from event_segment;
  for segment in 0..2 loop
    -- Ten seconds, so that hardly a writer still has the old segment in mind.
    if segment <> at.current and holds_rows[segment + 1]
      and at.rotated_at < pg_catalog.now() - interval '10 seconds'
      and truncate_segment(segment) then
      holds_rows[segment + 1] := false;
      emptied := emptied + 1;
    end if;
  end loop;
  if at.rotated_at < pg_catalog.now() - interval '1 minute' and holds_rows[at.current + 1]
    and not holds_rows[(at.current + 1) % 3 + 1] then
    update event_segment set current = (current + 1) % 3, rotated_at = pg_catalog.now();
  end if;
  return emptied;
end $$;

CREATE FUNCTION run_group(job text, key text, payload jsonb) RETURNS text
    LANGUAGE sql STABLE
    RETURN (SELECT group_of(l.group_field, l.group_separator, l.group_part, run_group.key, run_group.payload) AS group_of FROM job_limit l WHERE (l.job = run_group.job));

COMMENT ON FUNCTION running_boards(of_groups text[], types text[]) IS 'Boards of the running week, for all who observe them.';

CREATE FUNCTION running_boards(of_groups text[], types text[]) RETURNS TABLE(number bigint, board uuid, week_start date, is_active boolean, created_at timestamp with time zone, taken_at timestamp with time zone, rank_version bigint, members_mark bigint, user_id text, display_name text, photo_url text, value integer, rank integer, last_updated timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
begin
  return query
  select w.number, b.id, b.week_start, b.is_active, b.created_at, domain_now(), b.rank_version, b.mark,
    s.user_id::text, s.display_name, s.photo_url, s.value, s.rank, s.last_updated
  from unnest(of_groups, types) with ordinality w (group_id, type, number)
  cross join lateral (
    select c.id, c.week_start, c.state = 'open' and c.ends_at > domain_now() as is_active, c.created_at,
      v.rank_version,
      case when (select include_zero from setting) then members_mark(c.group_id) else 0 end as mark
    from challenge c
    join board_version v on v.challenge_id = c.id
    where c.group_id = w.group_id and c.week_start = week_of(domain_now())
      and c.type = w.type::challenge_type
    offset 0
  ) b
  left join lateral (
    select * from leaderboard l where l.challenge_id = b.id
    offset 0
  ) s on true
  order by w.number, s.position;
end $$;

CREATE FUNCTION server_time(domain_time timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE STRICT
    RETURN CASE WHEN (NOT (EXISTS (SELECT FROM development))) THEN domain_time WHEN (domain_time <= domain_now()) THEN now() WHEN ((SELECT development.clock FROM development) IS NULL) THEN (domain_time - (((SELECT development.ahead_us FROM development))::double precision * '00:00:00.000001'::interval)) ELSE 'infinity'::timestamp with time zone END;

CREATE FUNCTION set_time_zone(user_id text, time_zone text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  perform require_claim(user_id);
  if is_time_zone(time_zone) is not true then
    raise exception 'there is no time zone %', quote_nullable(left(time_zone, 64))
      using errcode = 'ZB003', hint = 'Nothing was changed. Send an IANA name, for example Europe/Athens.';
  end if;
  update users u
  set time_zone = set_time_zone.time_zone, time_zone_changed_at = domain_now()
  where u.id = user_id
    and (u.time_zone_changed_at is null
      or u.time_zone_changed_at <= domain_now() - interval '24 hours');
  if found then
    return;
  elsif exists (select from users u where u.id = user_id) then
    raise exception 'the time zone of user % was changed less than 24 hours ago', quote_literal(user_id)
      using errcode = 'ZB004', hint = 'Nothing was changed. Try again a day after the last change.';
  end if;
  raise exception 'there is no user %', quote_nullable(left(user_id, 64))
    using errcode = 'ZB001', hint = 'Nothing was changed. Create the user first.';
end $$;

CREATE FUNCTION signed_actor(claim text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
  part text[];
  own_key record;
  seconds_left numeric;
begin
  -- Without a backslash, which a session may give another meaning.
  if claim is null or octet_length(claim) > 1024 or claim !~
    '^1[.][0-9]{1,9}[.][0-9]{1,12}[.]([0-9]{1,10}[.][0-9]{1,18}|[.])[.]([0-9a-f]{2})+[.][0-9a-f]{64}$' then
    return null;
  end if;
  part := string_to_array(claim, '.');
  select k.inner_block, k.outer_block into own_key from claim_key k where k.id = part[2]::integer;
  -- Hashes are compared: the time that it takes says something of a hash then, which leads to no MAC. Null, of a
  -- key that is not there, is not true.
  if (sha256(decode(part[7], 'hex')) = sha256(hmac_sha256(own_key.inner_block, own_key.outer_block,
    convert_to(left(claim, -65), 'UTF8')))) is not true then
    return null;
  end if;
  seconds_left := part[3]::bigint - extract(epoch from statement_timestamp());
  if seconds_left <= 0 then
    return null;
  elsif part[4] = '' then
    if seconds_left > 30 then
      return null;
    end if;
  elsif (part[4]::bigint = pg_backend_pid() and part[5]::bigint = (
    -- Null where the definer may not see it.
    select extract(epoch from a.backend_start) * 1000000
    from pg_stat_get_activity(pg_backend_pid()) a)) is not true then
    return null;
  end if;
  return convert_from(decode(part[6], 'hex'), 'UTF8');
exception when data_exception then
  return null;
end $_$;

COMMENT ON FUNCTION speaks_for(actor text) IS 'Whether this transaction speaks for a user; without roles it does for all.';

CREATE FUNCTION speaks_for(actor text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
declare
  its text;
  who name;
begin
  select a.prefix into its from access a;
  if not found then
    return true;
  end if;
  who := caller();
  -- The usual one, before the catalog is asked for logins that are members.
  if who = its || '_api' then
    return true;
  elsif who not in (its || '_user', its || '_anon') and exists (
    select from pg_roles r
    where r.rolname = any (array[current_user, its || '_api', its || '_owner', its || '_migrator',
        its || '_worker', its || '_operator']::name[])
      and pg_has_role(who, r.oid, 'usage')) then
    return true;
  end if;
  return (current_actor() = actor) is true;
end $$;

CREATE FUNCTION standing_deleted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  -- What was told of a board that is gone is true for ever; it goes by its own age.
  if not exists (select from challenge where id = old.challenge_id) then
    return null;
  end if;
  -- One that is being read is left to its reader, and counts as read.
  perform from notification
  where partition = day_partition(old.notification_created_at)
    and created_at = old.notification_created_at and id = old.notification_id and not is_read
  for update skip locked;
  if found then
    delete from notification
    where partition = day_partition(old.notification_created_at)
      and created_at = old.notification_created_at and id = old.notification_id;
  end if;
  return null;
end $$;

CREATE FUNCTION stop_observing() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  perform pg_advisory_unlock_all();
  unlisten *;
end $$;

CREATE FUNCTION tell_new_member(of_group text, of_user text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into notification (partition, created_at, user_id, group_id, type, content, changed_at)
  select day_partition(n.at), n.at, m.user_id, m.group_id, 'new_member',
    jsonb_build_object('user', u.id, 'name', u.display_name,
      'message', u.display_name || ' joined ' || g.name || '.'), n.at
  from (select domain_now() as at) n, users u, groups g, member m
  where u.id = of_user and g.id = of_group and m.group_id = g.id and m.left_at is null
    and m.user_id <> u.id;
end $$;

CREATE FUNCTION truncate_history(partition text, cutoff timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $_$
begin
  if partition !~ '^run_history_([0-9]|1[0-5])$' then
    raise exception '% is no day of the history of runs', quote_literal(left(partition, 64))
      using errcode = 'ZB032', hint = 'Nothing was removed.';
  end if;
  return truncate_partition(partition::regclass,
    least(cutoff, cutoff_of((select run_history_age from runner_setting))));
end $_$;

CREATE FUNCTION truncate_notifications(partition text, cutoff timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $_$
begin
  if partition !~ '^notification_([0-9]|1[0-5])$' then
    raise exception '% is no partition of notifications', quote_literal(left(partition, 64))
      using errcode = 'ZB032', hint = 'Nothing was removed.';
  end if;
  return truncate_partition(partition::regclass,
    least(cutoff, (select domain_now() - in_seconds(notification_age) from setting)));
end $_$;

CREATE FUNCTION truncate_partition(relation regclass, cutoff timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_sort TO 'off'
    SET lock_timeout TO '20ms'
    AS $_$
declare
  holds_rows boolean;
  is_old boolean;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'truncate_partition must see what was committed before it had the lock'
      using errcode = '25001', hint = 'Call it at READ COMMITTED.';
  end if;
  execute format('select exists (select from %s)', relation) into holds_rows;
  if not holds_rows then
    return false;
  end if;
  execute format('lock table %s in access exclusive mode', relation);
  -- The newest row is the last entry of the primary key: one look, however many rows there are.
  execute format(
    'select created_at < $1 from %s order by partition desc, created_at desc limit 1', relation)
    into is_old using cutoff;
  if is_old is not true then
    return false;
  end if;
  execute format('truncate %s', relation);
  return true;
exception
  -- Two that have looked at the partition and both empty it wait for each other.
  when lock_not_available or deadlock_detected then return null;
end $_$;

CREATE FUNCTION truncate_segment(segment integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  holds_unfolded boolean;
begin
  execute format('lock table event_%s in access exclusive mode nowait', segment);
  execute format(
    'select exists (select from event_%s e, event_position p
      where not pg_visible_in_snapshot(e.xact, p.snapshot))', segment) into holds_unfolded;
  if holds_unfolded then
    return false;
  end if;
  execute format('truncate event_%s', segment);
  return true;
exception
  when lock_not_available then return false;
end $$;

COMMENT ON FUNCTION update_privacy_settings(actor text, shares_workouts boolean) IS 'Whether the workouts of the actor are shared. Safe to repeat.';

CREATE FUNCTION update_privacy_settings(actor text, shares_workouts boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  perform require_actor(actor);
  if shares_workouts is null then
    perform refuse('invalidInput', format('privacy settings of user %s: whether workouts are shared is missing',
      quote_literal(actor)), 'Nothing was changed. Send true or false.');
  end if;
  update users u set shares_workouts = update_privacy_settings.shares_workouts
  where u.id = actor and u.shares_workouts <> update_privacy_settings.shares_workouts;
end $$;

COMMENT ON FUNCTION update_profile(actor text, display_name text, photo_url text) IS 'Changes the name and the photo of the actor. Safe to repeat.';

CREATE FUNCTION update_profile(actor text, display_name text, photo_url text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  perform require_actor(actor);
  perform check_profile('user ' || quote_literal(actor), display_name, photo_url);
  if display_name is null or trim(display_name) = '' then
    perform refuse('invalidInput', format('the name of user %s is empty', quote_literal(actor)),
      'Nothing was changed. Send a name of 1 to 256 bytes.');
  end if;
  update users u
  set display_name = update_profile.display_name, photo_url = update_profile.photo_url,
    asks_for_name = false
  where u.id = actor
    and (u.display_name, u.photo_url, u.asks_for_name)
      is distinct from (update_profile.display_name, update_profile.photo_url, false);
end $$;

COMMENT ON FUNCTION update_streak(actor text, challenge_id uuid, streak_days integer) IS 'Sets the streak of the actor where streaks are reported. Safe to repeat.';

CREATE FUNCTION update_streak(actor text, challenge_id uuid, streak_days integer) RETURNS workout_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  at constant timestamptz := domain_now();
  board challenge;
  last_value integer;
begin
  perform require_claim(actor);
  if (select s.streak_source from setting s) = 'ledger' then
    perform refuse('streakIsDerived', 'update_streak: streaks are derived from the workouts here',
      'Nothing was changed. Record workouts; the streak follows from them.');
  elsif streak_days is null or streak_days not between 0 and 3650 then
    perform refuse('invalidInput', format('update_streak: %s is no number of days from 0 to 3650',
      coalesce(streak_days::text, 'null')),
      'Nothing was changed. Send the length of the streak in days.');
  end if;
  board := check_board_call(actor, challenge_id, 'streak');
  -- One call of a member at a time; the user is read behind that.
  update member m set calls = m.calls + 1
  where m.group_id = board.group_id and m.user_id = actor and m.left_at is null;
  if not found then
    perform refuse('notAMember', format('user %s left the group of challenge %s',
      quote_literal(actor), challenge_id),
      'Nothing was changed. Join the group first.');
  elsif not (select u.shares_workouts from users u where u.id = actor) then
    perform count_ignored(at);
    return row('ignoredPrivacy', null, null, false)::workout_answer;
  end if;
  select r.streak_days into last_value
  from reported_streak r
  where r.user_id = actor and r.group_id = board.group_id and r.week_start = board.week_start
  order by r.id desc
  limit 1;
  if last_value is distinct from streak_days then
    insert into reported_streak (user_id, group_id, week_start, streak_days, reported_at)
    values (actor, board.group_id, board.week_start, update_streak.streak_days, at);
    perform derive_entries(actor, board.group_id, board.week_start, at);
  end if;
  return row('accepted', null, board.week_start, last_value is not distinct from streak_days)
    ::workout_answer;
end $$;

COMMENT ON FUNCTION upsert_user(provider text, subject text, display_name text, email text, photo_url text) IS 'The user of a provider''s subject, made where there is none. Safe to repeat.';

CREATE FUNCTION upsert_user(provider text, subject text, display_name text DEFAULT NULL::text, email text DEFAULT NULL::text, photo_url text DEFAULT NULL::text) RETURNS user_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  given_name constant text := nullif(trim(display_name), '');
  found_id text;
  new_id constant text := gen_random_uuid();
begin
  perform check_identity(provider, subject, given_name, email, photo_url);
  loop
    select i.user_id into found_id from identity i
    where i.provider = upsert_user.provider::auth_provider and i.subject = upsert_user.subject;
    exit when found;
    insert into users (id, display_name, asks_for_name, email, photo_url, auth_provider)
    values (new_id, coalesce(given_name, 'User ' || nextval('user_number')), given_name is null,
      upsert_user.email, upsert_user.photo_url, upsert_user.provider::auth_provider);
    insert into identity (provider, subject, user_id)
    values (upsert_user.provider::auth_provider, upsert_user.subject, new_id)
    on conflict do nothing;
    if found then
      return user_row(new_id);
    end if;
    -- Somebody else's first call was faster; it has committed.
    delete from users u where u.id = new_id;
  end loop;
  update users u set email = upsert_user.email
  where u.id = found_id and upsert_user.email is not null and u.email is distinct from upsert_user.email;
  return user_row(found_id);
end $$;

CREATE FUNCTION user_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  at constant timestamptz := domain_now();
  is_switched constant boolean := old.shares_workouts <> new.shares_workouts;
  boards uuid[];
begin
  -- A call that is recording a workout is waited for: its entries are then seen here. One that comes later
  -- waits for this, finds that it has read an older version of the user, and begins again.
  update member m set user_version = new.version
  where m.user_id = new.id;
  if is_switched and new.shares_workouts then
    update sharing_pause p set ended_at = at where p.user_id = new.id and p.ended_at is null;
  elsif is_switched then
    -- Off again at the same instant: the pause goes on.
    insert into sharing_pause (user_id, began_at) values (new.id, at)
    on conflict (user_id, began_at) do update set ended_at = null;
  end if;
  -- The boards first, so that none is closed between the look and the write.
  boards := array(
    select c.id from challenge c
    where c.state = 'open'
      and c.group_id = any (array(select m.group_id from member m where m.user_id = new.id))
    order by c.id
    for key share);
  update entry e
  set display_name = new.display_name, photo_url = new.photo_url,
    hidden = case
      when not is_switched then e.hidden
      when not new.shares_workouts then true
      -- Who left is not seen again by this.
      else e.hidden and m.left_at is not null
    end
  from challenge c
  join member m on m.group_id = c.group_id and m.user_id = new.id
  where c.id = any (boards) and e.challenge_id = c.id and e.user_id = new.id
    and (is_switched
      or (e.display_name, e.photo_url) is distinct from (new.display_name, new.photo_url));
  return null;
end $$;

CREATE FUNCTION user_changing() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  new.version := old.version + 1;
  if new.shares_workouts and not old.shares_workouts then
    new.consented_at := domain_now();
  elsif old.shares_workouts and not new.shares_workouts then
    new.has_paused := true;
  end if;
  return new;
end $$;

CREATE FUNCTION user_row(of_user text) RETURNS user_answer
    LANGUAGE sql STABLE
    RETURN (SELECT ROW((u.id)::text, u.display_name, u.email, u.photo_url, u.auth_provider, (a.group_id)::text, u.shares_workouts, u.time_zone, u.asks_for_name, u.created_at)::user_answer AS "row" FROM (users u LEFT JOIN active_group a ON (((a.user_id)::text = (u.id)::text))) WHERE ((u.id)::text = user_row.of_user));

COMMENT ON FUNCTION wake_observers(feed text) IS 'Wakes who observes a feed, at COMMIT; costs next to nothing where nobody does.';

CREATE FUNCTION wake_observers(feed text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform wake_observers_of(feed, null);
end $$;

COMMENT ON FUNCTION wake_observers_of(feed text, keys text[]) IS 'Wakes who observes these topics of a feed, at COMMIT; null: all of them.';

CREATE FUNCTION wake_observers_of(feed text, keys text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  observed bigint := observer_key(feed);
  hint text;
begin
  if observed is null or cardinality(keys) = 0 then
    return;
  end if;
  if pg_try_advisory_lock(observed) then
    perform pg_advisory_unlock(observed);
    return;
  end if;
  hint := array_to_string(feed || keys, E'\n');
  if keys is null or array_position(keys, null) is not null or octet_length(hint) > 7999 then
    hint := feed;
  end if;
  perform pg_notify('baton_' || observed, hint);
end $$;

CREATE FUNCTION week_ended_content(week_start date, scores integer[]) RETURNS jsonb
    LANGUAGE sql STABLE
    RETURN jsonb_build_object('week_start', week_start, 'message', (to_char((week_start)::timestamp without time zone, '"Week "FMIW" has ended"'::text) || CASE WHEN (((scores)[1] IS NULL) AND ((scores)[4] IS NULL)) THEN '. See who won.'::text ELSE ((': you came '::text || concat_ws(' and '::text, (('#'::text || (scores)[1]) || ' in check-ins'::text), (('#'::text || (scores)[4]) || ' in streak'::text))) || '.'::text) END), 'you', CASE WHEN (((scores)[1] IS NULL) AND ((scores)[4] IS NULL)) THEN '{}'::jsonb ELSE jsonb_build_object('check-ins', jsonb_build_object('rank', (scores)[1], 'value', (scores)[2], 'previous_rank', CASE WHEN ((scores)[1] IS NOT NULL) THEN (scores)[3] ELSE NULL::integer END), 'streak', jsonb_build_object('rank', (scores)[4], 'value', (scores)[5], 'previous_rank', CASE WHEN ((scores)[4] IS NOT NULL) THEN (scores)[6] ELSE NULL::integer END)) END);

CREATE FUNCTION week_of(instant timestamp with time zone) RETURNS date
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (date_trunc('week'::text, (instant AT TIME ZONE 'UTC'::text)))::date;

CREATE FUNCTION workout_deleted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
declare
  day record;
  week record;
  users text[] := '{}';
  groups text[] := '{}';
  weeks date[] := '{}';
begin
  for day in
    select o.user_id, o.group_id, o.local_date, o.week_start, max(o.performed_at) as last_at,
      bool_or(m.user_id is not null and m.left_at is null) as is_member
    from old_row o
    left join member m on m.group_id = o.group_id and m.user_id = o.user_id
    where o.counted
    group by o.user_id, o.group_id, o.local_date, o.week_start
    order by o.user_id, o.group_id, o.week_start
  loop
    if day.last_at < domain_now() - interval '2160 hours' and not exists (
      select from challenge c where c.group_id = day.group_id and c.week_start = day.week_start)
    then
      continue;
    elsif day.is_member then
      raise exception 'workouts of user % count on boards of group %', quote_literal(day.user_id),
        quote_literal(day.group_id)
        using errcode = 'ZB030',
          hint = 'Nothing was removed. delete_workout takes a workout back, and the boards follow.';
    end if;
    perform refresh_day(day.user_id, day.group_id, day.local_date, day.week_start);
    users := users || day.user_id::text;
    groups := groups || day.group_id::text;
    weeks := weeks || day.week_start;
  end loop;
  -- Behind all days: an entry that is gone already would come back with those that are still to go.
  for week in
    select distinct * from unnest(users, groups, weeks) w (user_id, group_id, week_start) order by 1, 2, 3
  loop
    perform derive_entries(week.user_id, week.group_id, week.week_start, domain_now());
  end loop;
  return null;
end $$;

CREATE FUNCTION workout_updated() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'baton', 'pg_temp'
    AS $$
begin
  insert into workout_revision (user_id, workout_id, revision, group_id, performed_at, utc_offset_s,
    local_date, week_start, counted, outcome, reason, missed_board, is_deleted, received_at,
    superseded_at)
  values (old.user_id, old.workout_id, old.revision, old.group_id, old.performed_at, old.utc_offset_s,
    old.local_date, old.week_start, old.counted, old.outcome, old.reason, old.missed_board,
    old.is_deleted, old.received_at, new.received_at);
  return null;
end $$;

CREATE FUNCTION write_entries(of_user text, member_joined_at timestamp with time zone, member_name text, member_photo text, at timestamp with time zone, boards uuid[], new_values integer[], reached timestamp with time zone[], is_away boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if (select count(*) from entry e where e.challenge_id = any (boards) and e.user_id = of_user) = 2
  then
    update entry e
    set value = v.value, reached_at = coalesce(v.reached_at, e.reached_at),
      joined_at = member_joined_at, display_name = member_name, photo_url = member_photo,
      last_updated = case when e.value <> v.value then at else e.last_updated end
    from unnest(boards, new_values, reached) v (board, value, reached_at)
    where e.challenge_id = v.board and e.user_id = of_user
      and (e.value, e.reached_at, e.joined_at)
        is distinct from (v.value, coalesce(v.reached_at, e.reached_at), member_joined_at);
    return;
  end if;
  insert into entry as e (challenge_id, user_id, value, reached_at, joined_at, display_name,
    photo_url, last_updated, hidden)
  select v.board, of_user, v.value, coalesce(v.reached_at, there.reached_at),
    member_joined_at, member_name, member_photo, at, is_away
  from unnest(boards, new_values, reached) v (board, value, reached_at)
  left join entry there on there.challenge_id = v.board and there.user_id = of_user
  where v.value > 0 or there.user_id is not null
  on conflict (challenge_id, user_id) do update
  set value = excluded.value, reached_at = excluded.reached_at, joined_at = excluded.joined_at,
    display_name = excluded.display_name, photo_url = excluded.photo_url,
    last_updated = case when e.value <> excluded.value then at else e.last_updated end
  where (e.value, e.reached_at, e.joined_at)
    is distinct from (excluded.value, excluded.reached_at, excluded.joined_at);
end $$;
