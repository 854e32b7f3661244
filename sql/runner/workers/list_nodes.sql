-- Lists the nodes that contain the schema's tables, except the connected node. The catalog of the connected node
-- contains the tables, but neither their rows nor their triggers. Rows: the `host:port` of each node. Locks: none. The
-- caller must have checked is_distributed, because the catalogs exist only on distributed servers.
select distinct n.nodename || ':' || n.nodeport
from pg_class c
join pg_dist_shard s on s.logicalrelid = c.oid
join pg_dist_placement p on p.shardid = s.shardid
join pg_dist_node n on n.groupid = p.groupid
where c.relnamespace = current_schema()::regnamespace
  and p.groupid <> (select groupid from pg_dist_local_group)
order by 1
