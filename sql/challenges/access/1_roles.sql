-- Creates the roles of the product, in addition to the roles of the module `identity`.

-- This role executes the job `retention`.
create role {retention} nologin;

grant {retention} to {worker};

-- These roles act for all users, so this policy does not hide rows. Only the grants limit the privileges of the roles.
create policy all_rows on all tables to {retention};
