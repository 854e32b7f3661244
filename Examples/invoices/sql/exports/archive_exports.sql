-- Archives complete exports. $1 names of the exports' batches, such as export-7. Rows: none. Locks: the new rows.
-- Index: export_chunk_pkey.
insert into archive (export, chunks, lines, cents)
select c.export, count(*), sum(c.lines), sum(c.cents)
from unnest($1::text[]) b (name)
join export_chunk c on c.export = split_part(b.name, '-', 2)::bigint
group by c.export
