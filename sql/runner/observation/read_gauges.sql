-- Reads the metrics of the products. Rows: name, help, value, the highest normal value (null if there is no limit), the
-- action above that value. Locks: none. Index: the indexes of the products' views.
select name, help, value, most, next from product_gauges()
