-- Makes users without a group. $1 how many. Rows: the number. Locks: the new rows.
insert into users (id, display_name)
select 'walker-' || u, 'Walker ' || u from generate_series(1, $1::bigint) u
