/// One line of a file of check-ins, as the oracle reads it: one workout of its own.
package struct CheckInLine: Sendable {
  /// The group's name, exact bytes.
  package let group: [UInt8]
  /// The member's name, exact bytes; the same name in another group is another person.
  package let member: [UInt8]
  /// Microseconds since 1970-01-01T00:00:00Z.
  package let instant: Int64
  /// Seconds that local time is ahead of UTC.
  package let utcOffset: Int
  /// The line of the file on which the record begins; the header is line 1.
  package let line: Int

  /// Puts a line together from its parts.
  package init(group: [UInt8], member: [UInt8], instant: Int64, utcOffset: Int, line: Int) {
    self.group = group
    self.member = member
    self.instant = instant
    self.utcOffset = utcOffset
    self.line = line
  }
}
