// The access paths of the tables of elements and of links.

import Trove
import TroveCoding

extension TablePath {
    /// Returns the paths of a table of elements: the records first, then the indexes of the elements.
    static func all(of stored: StoredTable, _ list: ElementList, _ columns: [SQLTable.Column]) -> [TablePath] {
        let key = keyComponents(columns)
        let records = TablePath("", stored.records, nil, key, columnCount: columns.count)
        // The entries of records of older layouts are those of their converted values: only the program knows them.
        guard stored.versions.count <= 1, !list.isDictionary, let value = columns.indices.last else { return [records] }
        let step = ValueStep(component: columns[value].type)
        let element = Component(column: value, step: step, type: columns[value].type, isDescending: step.mask != 0)
        return [records]
            + stored.elementIndexes.filter { $0.columns[0].property == list.property }.map { index in
                TablePath(
                    index.name, index.entries, index, [element] + key, propertyCount: 1, columnCount: columns.count)
            }
    }

    /// Returns the paths of a table of links: by owner, and by target.
    static func all(of links: StoredLinkList, _ columns: [SQLTable.Column]) -> [TablePath] {
        let ends = keyComponents(columns)
        let integer = LayoutType.integer(bits: 64, isSigned: true)
        func position(_ column: Int?) -> Component {
            Component(column: column, step: ValueStep(component: integer), type: integer, isDescending: false)
        }
        func path(_ name: String, _ order: LinkOrder, _ components: [Component]) -> TablePath {
            let entries =
                switch order {
                case .list: links.list
                case .inverseList: links.inverseList
                case .records, .swappedRecords: links.table.records
                }
            return TablePath(name, entries, nil, components, columnCount: columns.count, order: order)
        }
        var paths: [TablePath] = []
        if links.list != nil {
            let position = links.position == nil ? [] : [position(2)]
            paths.append(path("list of owners", .list, [ends[0]] + position + [ends[1]]))
        } else if links.ownerIsFirst {
            paths.append(path("list of owners", .records, ends))
        }
        if links.inverseList != nil {
            let position = links.inverseHasPosition ? [position(nil)] : []
            paths.append(path("list of targets", .inverseList, [ends[1]] + position + [ends[0]]))
        } else if !links.ownerIsFirst {
            paths.append(path("list of targets", .records, ends.reversed()))
        } else if links.isSymmetric {
            paths.append(path("list of targets", .swappedRecords, ends.reversed()))
        }
        return paths
    }
}
