import ArgumentParser

/// The thresholds for a warning and for a critical problem, written as `60:600`, `60` or `off`.
struct Threshold: ExpressibleByArgument, Sendable {
  let warning: Double?
  let critical: Double?

  init(_ warning: Double?, _ critical: Double? = nil) {
    self.warning = warning
    self.critical = critical
  }

  init?(argument: String) {
    guard argument != "off" else {
      self.init(nil)
      return
    }
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    let limits = parts.compactMap { $0 }
    guard (1...2).contains(parts.count), limits.count == parts.count,
      limits.allSatisfy({ $0.isFinite && $0 >= 0 }), limits == limits.sorted()
    else { return nil }
    self.init(limits[0], limits.count == 2 ? limits[1] : nil)
  }

  var defaultValueDescription: String {
    [warning, critical].compactMap { $0?.short }.joined(separator: ":")
  }

  /// Returns the severity of a figure, or nil if the figure is below the warning threshold.
  func severity(of figure: Double) -> Finding.Severity? {
    if let critical, figure >= critical { return .critical }
    if let warning, figure >= warning { return .warning }
    return nil
  }
}
