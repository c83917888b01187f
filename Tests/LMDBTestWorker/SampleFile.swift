// The sample file of the format that the loaded liblmdb writes.

import LMDB
import TroveTestSupport

enum SampleFile {
    /// Creates a file with the sample entries, and with free pages.
    static func create(at path: String) throws {
        let environment = try Environment(path: path, options: EnvironmentOptions(mapSize: 1 << 20))
        for (name, entries) in SampleEntries.tables {
            let table = try environment.createDatabase(name)
            try environment.write { transaction in
                for entry in entries.reversed() { try transaction.put([1], for: entry.key, in: table) }
            }
            try environment.write { transaction in
                for entry in entries { try transaction.put(entry.value, for: entry.key, in: table) }
            }
        }
        say("\(Engine.format)")
    }
}
