-- Creates the GymRats roles, in addition to those of the `identity` module.

-- The retention role executes the `retention` job.
create role {retention} nologin;

grant {retention} to {worker};

-- The retention role acts for all users, so the all_rows policy does not hide rows from it.
create policy all_rows on all tables to {retention};
