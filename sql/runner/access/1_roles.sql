-- The roles of the runner. Baton sets no password: the server's administrator gives each login a password, a
-- certificate or a line of pg_hba.conf.

-- Owns the schema and all objects in it, except the functions of the definer. It cannot log in.
create role {owner} nologin;
-- Owns the functions that do what their callers may not do themselves, and has the rights that these functions need.
create role {definer} nologin;
-- Runs `migrate`: it becomes the owner by SET ROLE and inherits nothing.
create role {migrator} login noinherit;
create role {worker} login noinherit;
-- For manual actions: retry, cancel, pause, close, reopen.
create role {operator} login noinherit;
-- Reads what contains neither payloads nor personal data.
create role {dashboard} login noinherit;

-- The owner must be able to replace the functions of the definer.
grant {definer} to {owner};
grant {owner} to {migrator};
-- A run that an operator starts by hand needs the rights of a worker.
grant {worker} to {operator};
-- A worker that shows pages to a viewer reads them as the dashboard role. An operator can be a worker, so it can too.
grant {dashboard} to {worker};
-- The migrator must see whether the schema has roles before it acts as the owner.
grant usage on schema {schema} to {migrator};
grant select on access to {migrator};

-- Grants limit what these roles may do. They serve all users, so no policy hides rows from them.
create policy all_rows on all tables to {owner}, {definer}, {worker}, {operator}, {dashboard};
create policy migrator_looks on access for select to {migrator} using (true);
