// The Swift samples of README.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// README.md:340
@IndexKeyRecord("id")
private struct Todo {
    let id: Int
    var title: String
    var isDone: Bool
}

enum README_ObservationAndLiveObjects {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // README.md:340

            let store = try await Store(path: samplePath("todos.trove"), records: [Todo.self])
            try await store.insert(Todo(id: 1, title: "Buy milk", isDone: false))

            var counts: [Int] = []
            for try await open in Todo.filter(\.isDone == false).values(in: store) {
                counts.append(open.count)
                if open.isEmpty { break }
                try await store.insert(Todo(id: 1, title: "Buy milk", isDone: true))
            }
            expectOutput(counts, is: #"[1, 0]"#, at: "README.md:356")
            // README.md:363
            let todo = try await Todo.create(Todo(id: 2, title: "Call Zoe", isDone: false), in: store)
            todo.title = "Call Ruby"
            expectOutput(todo.hasChanges, try await Todo.get(in: store, id: 2)?.title ?? "", is: #"true Call Zoe"#, at: "README.md:365")
            try await store.live.saveAllChanges()
            expectOutput(todo.hasChanges, try await Todo.get(in: store, id: 2)?.title ?? "", is: #"false Call Ruby"#, at: "README.md:367")

            let list = try LiveList(Todo.filter(\.isDone == false), in: store)
            expectOutput(list.rows.map(\.title), is: #"["Call Ruby"]"#, at: "README.md:370")
            _ = store
            _ = counts
            _ = todo
            _ = list
        }
    }
}
