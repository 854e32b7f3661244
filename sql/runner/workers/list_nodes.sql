-- The nodes that hold the schema's tables, if these differ from the node of this connection. This node's catalog then
-- has the tables, but neither their rows nor the triggers that fire on them. Rows: one per node, `host:port`. Locks:
-- none. Only if is_distributed: no other server has these catalogs.
select distinct n.nodename || ':' || n.nodeport
from pg_class c
join pg_dist_shard s on s.logicalrelid = c.oid
join pg_dist_placement p on p.shardid = s.shardid
join pg_dist_node n on n.groupid = p.groupid
where c.relnamespace = current_schema()::regnamespace
  and p.groupid <> (select groupid from pg_dist_local_group)
order by 1
