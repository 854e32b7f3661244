extension Int64 {
  /// Returns the number as decimal text with at least `count` digits.
  package func digits(_ count: Int) -> String {
    let text = String(magnitude)
    let zeros = String(repeating: "0", count: Swift.max(0, count - text.utf8.count))
    return (self < 0 ? "-" : "") + zeros + text
  }
}
