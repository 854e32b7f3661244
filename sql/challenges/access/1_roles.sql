-- The roles of the product, in addition to those of the part `identity`.

-- Does the work of the job `retention`.
create role {retention} nologin;

grant {retention} to {worker};

-- These roles serve all users, so the policy hides no row from them. The grants alone limit what they may do.
create policy all_rows on all tables to {retention};
