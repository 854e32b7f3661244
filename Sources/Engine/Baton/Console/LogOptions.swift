import ArgumentParser
package import Logging

/// How the lines of the log are written.
package enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// For people: time, level, what it is about, message.
  case text
  /// For programs: an object a line, errors that end the command among them.
  case json
}

/// How much a command says of what it does, and in which form.
package struct LogOptions: ParsableArguments, Sendable {
  /// Whether each step is said.
  @Flag(name: .shortAndLong, help: "Say more of what is done.")
  package var verbose = false

  /// The form of each line, where an argument says it.
  @Option(
    name: .customLong("log-format"),
    help: "The form of the log on stderr; BATON_LOG_FORMAT, else text.")
  var said: LogFormat?

  /// The form of each line.
  package var format: LogFormat {
    said ?? Settings.current.text(.logFormat).flatMap(LogFormat.init) ?? .text
  }

  /// What the argument parser asks for.
  package init() {}

  /// A logger that writes to stderr, so that stdout stays for results.
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
