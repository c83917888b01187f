// The error of the browser's client.

/// An action that the browser has not done, such as a click on a link that the page does not have.
struct BrowserError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
