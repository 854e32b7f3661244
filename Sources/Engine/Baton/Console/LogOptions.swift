import ArgumentParser
package import Logging

/// The format of the log.
package enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Readable text: time, level, source, message and metadata.
  case text
  /// JSON: one object per line, including an error that ends the command.
  case json
}

/// The verbosity and the format of a command's log.
package struct LogOptions: ParsableArguments, Sendable {
  /// Whether the log is verbose.
  @Flag(name: .shortAndLong, help: "Log debug messages.")
  package var verbose = false

  /// The value of the `--log-format` argument, or nil if the argument is missing.
  @Option(
    name: .customLong("log-format"),
    help: "The format of the log on stderr; default: BATON_LOG_FORMAT, otherwise text.")
  var said: LogFormat?

  /// The log format that the argument or the settings specify.
  package var format: LogFormat {
    said ?? Settings.current.text(.logFormat).flatMap(LogFormat.init) ?? .text
  }

  /// Checks the log format that the settings specify.
  ///
  /// The argument parser has already checked the argument.
  ///
  /// - Throws: ``Complaint``.
  func check() throws(Complaint) {
    if said == nil { _ = try Settings.current.checked(.logFormat) }
  }

  /// Creates the options for the argument parser.
  package init() {}

  /// The command's logger, which writes to stderr.
  ///
  /// Results are written to stdout.
  package var logger: Logger {
    var logger = Logger(label: Program.name) { [format] label in
      switch format {
      case .text: TextLogHandler(label: label)
      case .json: JSONLogHandler(label: label)
      }
    }
    logger.logLevel = verbose ? .debug : .notice
    return logger
  }
}
