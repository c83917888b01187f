// The error of a file that a subcommand reads as text.

import Foundation

/// The error of a file that cannot be read, as a sentence with its path.
struct FileError: Error, CustomStringConvertible {
    let description: String

    /// - Parameter path: The path of the file; `-` for standard input.
    init(path: String, _ error: any Error) {
        description = "\(path == "-" ? "Standard input" : path) cannot be read: \(Self.reason(error))."
    }

    /// Throws for a path without a file, and for a directory.
    ///
    /// - Parameter orInput: Whether standard input can be given in place of the path.
    static func check(_ path: String, orInput: Bool) throws(FileError) {
        let advice = "Give the path of a text file\(orInput ? ", or - for standard input" : "")."
        var isDirectory: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw FileError("There is no file at \(path). \(advice)")
        }
        guard !isDirectory.boolValue else {
            throw FileError("\(path) is a directory. \(advice)")
        }
    }

    private init(_ description: String) { self.description = description }

    /// Returns the system's reason, such as `No space left on device`.
    static func reason(_ error: any Error) -> String {
        var last = error as NSError
        while let underlying = last.userInfo[NSUnderlyingErrorKey] as? NSError { last = underlying }
        guard last.domain == NSPOSIXErrorDomain else { return last.localizedDescription }
        return unsafe String(cString: strerror(Int32(last.code)))
    }

    /// Returns the text of a file.
    static func text(of path: String) throws(FileError) -> String {
        try check(path, orInput: false)
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw FileError(path: path, error)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw FileError("\(path) is not UTF-8.") }
        return text
    }
}
