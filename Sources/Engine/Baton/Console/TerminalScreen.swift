import Foundation

/// A terminal on which a command draws the whole screen, and which is restored afterwards.
///
/// It is used by one task at a time.
final class TerminalScreen {
  /// Columns and lines.
  struct Size: Equatable {
    let columns, lines: Int
  }

  private var before = termios()
  private var hasKeys = false
  private var isOpen = false

  /// Whether stdout is a terminal.
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The size of the terminal; 80 by 24 if it is unknown.
  static var size: Size {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return Size(columns: 80, lines: 24) }
    return Size(columns: Int(window.ws_col), lines: Int(window.ws_row))
  }

  /// Switches to the alternate screen, hides the cursor, and reads keys when they are pressed, without echo.
  ///
  /// Ctrl-C stays a signal. Ctrl-Z does nothing: it would leave the shell with the alternate screen.
  func open() {
    guard !isOpen else { return }
    isOpen = true
    if isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &before) == 0 {
      var raw = before
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
      withUnsafeMutableBytes(of: &raw.c_cc) { $0[Int(VSUSP)] = 0 }
      hasKeys = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0
    }
    Console.write("\u{1B}[?1049h\u{1B}[?25l", terminator: "")
  }

  /// Draws lines from the top, cut to the screen, and clears the rest.
  func draw(_ lines: [String], _ size: Size) {
    let shown = lines.prefix(size.lines).map { String($0.prefix(size.columns)) + "\u{1B}[K" }
    Console.write("\u{1B}[H" + shown.joined(separator: "\r\n") + "\u{1B}[J", terminator: "")
  }

  /// Restores the terminal; a second call does nothing.
  func close() {
    guard isOpen else { return }
    isOpen = false
    Console.write("\u{1B}[?25h\u{1B}[?1049l", terminator: "")
    if hasKeys { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }
}
