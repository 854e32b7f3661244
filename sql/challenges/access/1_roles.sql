-- The roles of the product, beside those of the part `identity`.

-- The work of the job `retention`.
create role {retention} nologin;

grant {retention} to {worker};

-- What they may not is not granted to them; rows are hidden from nobody who serves all.
create policy all_rows on all tables to {retention};
