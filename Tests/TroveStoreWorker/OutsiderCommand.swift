// Another user of the machine, with or without permission to read a store's file: `as-nobody path`.

import Foundation
import Trove

/// Opens a store read-only, and then for writing, as the user `nobody`.
enum OutsiderCommand {
    private static let nobody: uid_t = 65534

    static func run(path: String) {
        guard setgid(nobody) == 0, setuid(nobody) == 0 else { return TroveStoreWorker.say("not possible") }
        for isReadOnly in [true, false] {
            do {
                let store = try Store(path: path, options: StoreOptions(isReadOnly: isReadOnly))
                TroveStoreWorker.say("records \(try Line.query().count(in: store))")
            } catch StoreError.file(.noPermission(let path, _)) {
                TroveStoreWorker.say("no permission \(path)")
            } catch {
                TroveStoreWorker.say("\(error)")
            }
        }
    }
}
