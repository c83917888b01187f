// Converts a file to the format of the loaded liblmdb, and keeps the old one.

import LMDB

struct ConvertCommand {
    private let path: String

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw WorkerError(arguments: arguments) }
        path = arguments[0]
    }

    /// Converts the file. Prints a line when it has been opened.
    func run() throws {
        var options = EnvironmentOptions()
        options.conversion = .keepingOriginal
        let environment = try Environment(path: path, options: options)
        say("open")
        try environment.close()
    }
}
