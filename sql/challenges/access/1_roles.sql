-- Creates the roles of GymRats, in addition to the roles of the module `identity`.

-- The retention role executes the job `retention`.
create role {retention} nologin;

grant {retention} to {worker};

-- The retention role acts for all users, so the policy all_rows does not hide rows from this role.
create policy all_rows on all tables to {retention};
