-- What only the program knew of its jobs. `baton` has no code of any job and shows these columns. They are null until a
-- program defines the job again; `migrate` does that right after this migration.
alter table job
  -- The program that defined the job.
  add column program text,
  -- batch, step or effect.
  add column kind text,
  -- The most runs in one transaction.
  add column batch integer,
  -- The longest that one transaction, or one effect, may take.
  add column timeout interval,
  -- All attempts, the first one included; the wait after the first failed attempt; the longest wait.
  add column attempts integer,
  add column first_wait interval,
  add column longest_wait interval,
  -- The most effects at once in one worker; null: the job works in transactions.
  add column effect_concurrency integer,
  -- The kind of the role that its work acts as; null: the worker's.
  add column role text,
  -- The tables whose writes wake it, in words: `entry by id: insert, update of value`.
  add column tables text[];
