-- Creates the roles of the runner. Baton sets no passwords. The server's administrator gives each login role a
-- password, a certificate or an entry in pg_hba.conf.

-- The owner role cannot log in. The owner role owns the schema and all objects in the schema, except the functions of
-- the definer.
create role {owner} nologin;
-- The definer owns the SECURITY DEFINER functions and has the privileges that these functions need.
create role {definer} nologin;
-- The migrator role runs the command `migrate`. The migrator inherits no privileges and uses SET ROLE to act as the
-- owner.
create role {migrator} login noinherit;
create role {worker} login noinherit;
-- The operator role performs manual actions, such as retrying runs, cancelling runs and pausing jobs.
create role {operator} login noinherit;
-- The dashboard role reads only columns that contain neither payloads nor personal data. In PostgreSQL 15, a grant of
-- pg_read_all_stats has an effect only if the dashboard role inherits privileges.
create role {dashboard} login;

-- The owner must be able to replace the functions of the definer.
grant {definer} to {owner};
grant {owner} to {migrator};
-- A run that an operator starts manually needs the privileges of a worker.
grant {worker} to {operator};
-- A worker that serves the dashboard reads the data of the dashboard's pages as the dashboard role. An operator can act
-- as a worker, so an operator can also read the data of the dashboard's pages.
grant {dashboard} to {worker};
-- Before acting as the owner, the migrator must check whether the schema has roles.
grant usage on schema {schema} to {migrator};
grant select on access to {migrator};

-- The roles of the runner serve all users, so no row-level security policy hides rows from them.
create policy all_rows on all tables to {owner}, {definer}, {worker}, {operator}, {dashboard};
create policy migrator_looks on access for select to {migrator} using (true);
