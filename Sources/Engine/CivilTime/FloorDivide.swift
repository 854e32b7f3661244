/// Divides two integers and rounds the quotient down, even if the quotient is negative.
package func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
  let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? quotient - 1 : quotient
}
