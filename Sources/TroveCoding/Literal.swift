// Values as text, in plans and reports. Foundation's own text of a `Date` traps for a NaN, and is missing for far
// moments. So a value that may contain dates is printed part by part.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Returns a value as a Swift literal. A date is ISO 8601 for the years that it covers.
///
/// - Parameters:
///   - isSwift: Whether enums and dates are written as Swift needs them: `.active`. Otherwise they are brief: `active`.
///   - depth: The number of values that contain the value. Parts nested more deeply than 32 levels are left out.
@usableFromInline
package func literal(_ value: Any, isSwift: Bool = false, depth: Int = 0) -> String {
    if let string = value as? String { return string.debugDescription }
    if let date = value as? Date { return text(of: date, isSwift: isSwift) }
    if isSwift, let uuid = value as? UUID { return "UUID(uuidString: \"\(uuid)\")!" }
    if depth > 32 { return "…" }
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children
    func list() -> String {
        parts.map { part in
            let text = literal(part.value, isSwift: isSwift, depth: depth + 1)
            guard let label = part.label, !label.hasPrefix(".") else { return text }
            return "\(label): \(text)"
        }.joined(separator: ", ")
    }
    switch mirror.displayStyle {
    case .optional?: return parts.first.map { literal($0.value, isSwift: isSwift, depth: depth) } ?? "nil"
    case .collection?, .set?: return "[\(list())]"
    case .dictionary?:
        let entries = parts.map { entry in
            Mirror(reflecting: entry.value).children
                .map { literal($0.value, isSwift: isSwift, depth: depth + 1) }.joined(separator: ": ")
        }
        return entries.isEmpty ? "[:]" : "[\(entries.joined(separator: ", "))]"
    case .tuple?: return "(\(list()))"
    case .struct? where !(value is any CustomStringConvertible): return "\(type(of: value))(\(list()))"
    case .enum? where !(value is any CustomStringConvertible):
        let dot = isSwift ? "." : ""
        guard let part = parts.first, let name = part.label else { return dot + "\(value)" }
        let isList = Mirror(reflecting: part.value).displayStyle == .tuple
        let values = literal(part.value, isSwift: isSwift, depth: depth + 1)
        return dot + name + (isList ? values : "(\(values))")
    default: return "\(value)"
    }
}

private func text(of date: Date, isSwift: Bool) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    return (isSwift ? nil : ISO8601Text.text(seconds)) ?? "Date(timeIntervalSinceReferenceDate: \(seconds))"
}
