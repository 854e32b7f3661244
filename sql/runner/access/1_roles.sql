-- The roles of the runner. Nobody has a password from us: who logs in gets one, a certificate or a line of
-- pg_hba.conf from whoever runs the server.

-- Owns the schema and all in it but the functions below; nobody logs in as it.
create role {owner} nologin;
-- Runs the functions that do for their callers what these may not, and holds what those need.
create role {definer} nologin;
-- Becomes the owner, by SET ROLE alone, for `migrate`.
create role {migrator} login noinherit;
create role {worker} login noinherit;
-- By hand: retry, cancel, pause, close, reopen.
create role {operator} login noinherit;
-- Reads what holds no payload and nobody's data.
create role {dashboard} login noinherit;

-- So that it can replace those functions.
grant {definer} to {owner};
grant {owner} to {migrator};
-- What is run by hand acts as a worker does.
grant {worker} to {operator};
-- What a worker shows to whoever looks on it reads as that; and so does an operator, who can be a worker.
grant {dashboard} to {worker};
-- Enough to see whether there are roles, before it acts as the owner.
grant usage on schema {schema} to {migrator};
grant select on access to {migrator};

-- What they may not is not granted to them; rows are hidden from nobody who serves all.
create policy all_rows on all tables to {owner}, {definer}, {worker}, {operator}, {dashboard};
create policy migrator_looks on access for select to {migrator} using (true);
