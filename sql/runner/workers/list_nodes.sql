-- Lists the nodes that contain the schema's tables, if these nodes are not the node of this connection. The catalog of
-- this node then contains the tables, but not their rows and triggers. Rows: `host:port` of each node. Locks: none. The
-- caller must have checked is_distributed, because other servers do not have these catalogs.
select distinct n.nodename || ':' || n.nodeport
from pg_class c
join pg_dist_shard s on s.logicalrelid = c.oid
join pg_dist_placement p on p.shardid = s.shardid
join pg_dist_node n on n.groupid = p.groupid
where c.relnamespace = current_schema()::regnamespace
  and p.groupid <> (select groupid from pg_dist_local_group)
order by 1
