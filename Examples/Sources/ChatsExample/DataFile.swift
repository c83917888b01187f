// The data file of the demo.

import Foundation

enum DataFile {
    /// Returns the JSON of all chats, with their members, messages and attachments.
    static func chats() throws -> Data {
        guard let directory = Bundle.module.url(forResource: "Data", withExtension: nil) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try Data(contentsOf: directory.appending(path: "chats.json"))
    }
}
