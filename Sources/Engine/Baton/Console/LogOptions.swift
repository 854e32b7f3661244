import ArgumentParser
package import Logging

/// The format of the log.
package enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// For people: time, level, source, message and metadata.
  case text
  /// For programs: one JSON object per line, also for an error that ends the command.
  case json
}

/// How much a command logs, and in which format.
package struct LogOptions: ParsableArguments, Sendable {
  /// Whether each step is logged.
  @Flag(name: .shortAndLong, help: "Log more.")
  package var verbose = false

  /// The format that an argument names.
  @Option(
    name: .customLong("log-format"),
    help: "The format of the log on stderr; default: BATON_LOG_FORMAT, otherwise text.")
  var said: LogFormat?

  /// The format of the log.
  package var format: LogFormat {
    said ?? Settings.current.text(.logFormat).flatMap(LogFormat.init) ?? .text
  }

  /// Creates the options, for the argument parser.
  package init() {}

  /// A logger that writes to stderr, because stdout is for results.
  package var logger: Logger {
    var logger = Logger(label: Program.name) { [format] label in
      switch format {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: JSONLogHandler(label: label)
      }
    }
    logger.logLevel = verbose ? .debug : .notice
    return logger
  }
}
