extension Finding {
  /// Returns the finding that the server does not know the time zone of a schedule.
  static func unknownZone(_ zone: String) -> Finding {
    Finding(
      .warning,
      "The server does not know the time zone \(zone) of a schedule, which does not fire.",
      at: "the zone files of the server", page: .schedules,
      next: "On the server, install the newest package tzdata. "
        + "If a provider manages the server, install the provider's newest minor version. "
        + "On newer Debian and Ubuntu versions, old names such as US/Pacific are in the package tzdata-legacy."
    )
  }
}
