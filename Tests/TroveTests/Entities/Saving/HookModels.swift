// An entity whose hooks note their calls in the store, and do what the entity asks for.

import Foundation
import TroveCoding

@testable import Trove

/// A call of a hook, as a record: it is undone together with the statement.
@IndexKeyRecord("number")
struct HookCall {
    let number: Int
    let text: String
}

@EntityModel
struct Node: Equatable {
    var id: String
    var text: String = ""
    /// What the hooks do, such as `didSave throws`.
    var action: String = ""
    @Relationship(deleteRule: .cascade, inverse: \.parent) var children: [Node]?
    @Relationship(inverse: \.children) var parent: Node?
    @Relationship var favorite: Node? = nil
}

struct Refused: Error, Equatable { var hook = "" }

extension Node {
    mutating func willSave(to context: TransactionContext) throws {
        try note("willSave", context)
        switch action {
        case "rename": text = text.uppercased()
        case "adopt": $children = .appending(ids: ["adopted"])
        case "move": id += "2"
        case "save itself": try save(to: context)
        case "save its parent": try Node(id: "parent of \(id)", action: action, children: .ids([id])).save(to: context)
        case "try a refused child":
            try? Node(id: "kept", action: "").save(to: context)
            try? Node(id: "refused", children: .relation([Node(id: "r1", action: "didSave throws")])).save(to: context)
            _ = try? context.insert(Node(id: "r2", action: "willSave throws"))
        case "use the outer context":
            let outer = Thread.current.threadDictionary["outer context"] as? TransactionContext
            try outer?.insert(HookCall(number: -1, text: ""))
        default: break
        }
    }

    func didSave(to context: TransactionContext) throws {
        try note("didSave", context)
        if action == "save itself after" { try save(to: context) }
    }

    func willDelete(from context: TransactionContext) throws {
        try note("willDelete", context)
        switch action {
        case "delete itself": try delete(from: context)
        case "detach its children": try detach(\.$children, in: context)
        case "detach the next":
            try Node(id: "top").detach(\.$children, ids: ["2"], in: context)
        case "delete first": try Node.filter(\.text == "victim").delete(in: context)
        default: break
        }
    }

    func didDelete(from context: TransactionContext) throws {
        try note("didDelete", context)
        switch action {
        case "save itself again": try Node(id: id).save(to: context)
        case "save another child":
            try Node(id: id + "+", action: action, parent: .id("top")).save(to: context)
        case "save another first child":
            try Node(id: id + "+", action: action).save(to: context)
            let others = try Node.links("children", of: "top", in: context)
            try Node(id: "top", children: .ids([id + "+"] + others)).save(\.$children, to: context)
        default: break
        }
    }

    /// Notes a call, with what is stored: the record (r), and links to children (c), to the parent (p), and from an
    /// entity whose favorite it is (f).
    private func note(_ hook: String, _ context: TransactionContext) throws {
        var state = try context.get(Node.self, key: id) == nil ? "" : "r"
        if try !Node.links("children", of: id, in: context).isEmpty { state += "c" }
        if try !Node.links("parent", of: id, in: context).isEmpty { state += "p" }
        if try !Node.incomingFavorites(of: id, in: context).isEmpty { state += "f" }
        let number = try HookCall.query().count(in: context)
        try context.insert(
            HookCall(number: number, text: "\(hook) \(id) \(state)".trimmingCharacters(in: .whitespaces)))
        if action == "\(hook) throws" { throw Refused(hook: hook) }
    }

    static func incomingFavorites(of id: String, in context: ReadContext) throws -> [[UInt8]] {
        try context.incomingLinks(of: Node.keyPrefix).flatMap {
            try $0.links.targets(of: KeyWriter.bytes(of: id), $0.side)
        }
    }
}

extension RecordReadable {
    /// The calls of hooks, in order.
    func hookCalls() throws -> [String] { try HookCall.query().resolve(in: self).map(\.text) }
}

extension RecordWritable {
    func forgetHookCalls() throws { try HookCall.query().delete(in: self) }
}
