import Foundation
import Logging

/// A log handler that blocks a worker's dispatcher at its next fold while a file exists.
struct StuckLog: LogHandler {
  let folder: String
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.debug

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    guard event.message.description.hasPrefix("folded") else { return }
    while FileManager.default.fileExists(atPath: folder + "/stuck") {
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}
