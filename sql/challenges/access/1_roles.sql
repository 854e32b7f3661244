-- Creates the roles of the product, in addition to the roles of the module `identity`.

-- This role executes the job `retention`.
create role {retention} nologin;

grant {retention} to {worker};

-- These roles act for all users, so this policy does not hide rows from them. Only grants limit what these roles can
-- do.
create policy all_rows on all tables to {retention};
