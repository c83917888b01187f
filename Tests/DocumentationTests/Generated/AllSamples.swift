// The Swift samples of the documents, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

let allSamples: [Sample] = [
    Sample("README.md: Trove", run: README_Trove.run),
    Sample("README.md: Four steps", run: README_FourSteps.run),
    Sample("Docs/Cookbook.md: Insert and find", run: Cookbook_InsertAndFind.run),
    Sample("Docs/Cookbook.md: Ranges", run: Cookbook_Ranges.run),
    Sample("Docs/Cookbook.md: Pages", run: Cookbook_Pages.run),
    Sample("Docs/Cookbook.md: Count, look, scan", run: Cookbook_CountLookScan.run),
    Sample("Docs/Cookbook.md: Existing records", run: Cookbook_ExistingRecords.run),
    Sample("Docs/Cookbook.md: Deleting", run: Cookbook_Deleting.run),
    Sample("Docs/Cookbook.md: Transactions", run: Cookbook_Transactions.run),
    Sample("Docs/Cookbook.md: Asynchronous code", run: Cookbook_AsynchronousCode.run),
    Sample("Docs/Cookbook.md: When something stands in the way", run: Cookbook_WhenSomethingStandsInTheWay.run),
    Sample("Docs/Cookbook.md: Fields: nested values, enums, anything Codable", run: Cookbook_FieldsNestedValuesEnumsAnythingCodable.run),
    Sample("Docs/Cookbook.md: Key components", run: Cookbook_KeyComponents.run),
    Sample("Docs/Cookbook.md: Your own key component", run: Cookbook_YourOwnKeyComponent.run),
    Sample("Docs/Cookbook.md: Your own field type", run: Cookbook_YourOwnFieldType.run),
    Sample("Docs/Cookbook.md: Pin the layout", run: Cookbook_PinTheLayout.run),
    Sample("Docs/Cookbook.md: Versions by hand", run: Cookbook_VersionsByHand.run),
    Sample("Docs/Cookbook.md: Migrations", run: Cookbook_Migrations.run),
    Sample("Docs/Cookbook.md: A conformance by hand", run: Cookbook_AConformanceByHand.run),
    Sample("Docs/Cookbook.md: Queries by hand", run: Cookbook_QueriesByHand.run),
    Sample("Docs/DataModeling.md: A record is a key and its fields", run: DataModeling_ARecordIsAKeyAndItsFields.run),
    Sample("Docs/DataModeling.md: Denormalising: several records for one thing", run: DataModeling_DenormalisingSeveralRecordsForOneThing.run),
    Sample("Docs/DataModeling.md: Links between records", run: DataModeling_LinksBetweenRecords.run),
    Sample("Sources/Trove/Trove.docc/Trove.md: Overview", run: Trove_Overview.run),
]
