-- Creates the roles of the product, in addition to those of the module `identity`.

-- This role executes the job `retention`.
create role {retention} nologin;

grant {retention} to {worker};

-- These roles act for all users, so this policy hides no rows from them. Only the grants limit their privileges.
create policy all_rows on all tables to {retention};
