extension Finding {
  /// Returns the finding for a schedule whose time zone the server does not know.
  static func unknownZone(_ zone: String) -> Finding {
    Finding(
      .warning,
      "The server does not know the time zone \(zone) of a schedule, so the schedule does not fire.",
      at: "the server's time zone files", page: .schedules,
      next: "On the server, install the newest version of the package tzdata. "
        + "If a provider manages the server, upgrade to the newest minor version of PostgreSQL. "
        + "On newer Debian and Ubuntu versions, the package tzdata-legacy contains old names such as US/Pacific."
    )
  }
}
