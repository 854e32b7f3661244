-- Exports chunks of an upload. $1 ids of the exports, $2 numbers of the chunks from 1, $3 number of chunks of an
-- export. Rows: none. Locks: the new rows. Index: upload_line_pkey.
insert into export_chunk (export, chunk, lines, cents)
select e.id, c.chunk, count(l.line), coalesce(sum(l.cents), 0)
from unnest($1::bigint[], $2::bigint[]) c (export, chunk)
join export e on e.id = c.export
cross join lateral (select coalesce(max(line), 0) as line from upload_line where upload = e.upload) last
left join upload_line l on l.upload = e.upload
  and l.line > last.line * (c.chunk - 1) / $3::bigint and l.line <= last.line * c.chunk / $3::bigint
group by e.id, c.chunk
