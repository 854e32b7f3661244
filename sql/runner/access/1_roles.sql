-- Creates the runner's roles. Baton does not set passwords. The server's administrator gives each login role a
-- password, a certificate or an entry in pg_hba.conf.

-- The owner role cannot log in. The owner role owns the schema and all objects in it, except the definer's functions.
create role {owner} nologin;
-- The definer owns the SECURITY DEFINER functions and has the privileges that these functions need.
create role {definer} nologin;
-- The migrator role runs the `migrate` command. The migrator inherits no privileges and uses SET ROLE to act as the
-- owner.
create role {migrator} login noinherit;
create role {worker} login noinherit;
-- The operator role performs manual actions, such as retrying runs, cancelling runs and pausing jobs.
create role {operator} login noinherit;
-- The dashboard role reads only columns that contain neither payloads nor personal data. In PostgreSQL 15, a grant of
-- pg_read_all_stats has an effect only if the dashboard role inherits privileges.
create role {dashboard} login;

-- The owner must be able to replace the definer's functions.
grant {definer} to {owner};
grant {owner} to {migrator};
-- A run that an operator starts manually needs a worker's privileges.
grant {worker} to {operator};
-- A worker that serves the dashboard reads the data for the dashboard's pages as the dashboard role. An operator can
-- act as a worker, and can therefore also read the data for the dashboard's pages.
grant {dashboard} to {worker};
-- Before acting as the owner, the migrator must check whether the schema has roles.
grant usage on schema {schema} to {migrator};
grant select on access to {migrator};

-- The runner's roles serve all users, so no row-level security policy hides rows from them.
create policy all_rows on all tables to {owner}, {definer}, {worker}, {operator}, {dashboard};
create policy migrator_looks on access for select to {migrator} using (true);
