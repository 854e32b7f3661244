-- Reads the metrics of the products. Rows: name, help text, value, the highest normal value (null if there is no
-- limit), and the recommended action for a higher value. Locks: none. Indexes: those that the products' views use.
select name, help, value, most, next from product_gauges()
