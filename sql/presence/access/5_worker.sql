-- The work of the jobs: it removes what is over.
grant select on setting, invite, session to {worker};
grant delete on invite, session to {worker};
-- FOR UPDATE asks for the right to update some column.
grant update (replaced_at) on invite to {worker};
grant update (ended_at) on session to {worker};
