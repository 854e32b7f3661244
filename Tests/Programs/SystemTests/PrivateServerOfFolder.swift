import PrivateServer
import TestSupport

/// The server that `gymrats db up` creates in a folder, for its removal.
struct PrivateServerOfFolder {
  private let folder: TemporaryFolder

  init(_ folder: TemporaryFolder) { self.folder = folder }

  /// Stops the server and removes its files.
  func destroy() {
    try? PrivateServer(directory: folder.path + "/.baton/postgres").destroy()
  }
}
