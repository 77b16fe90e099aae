/// A schema in its parts, with other schemas as indices: schemas may refer to each other in a circle.
struct SchemaNode {
    /// The pair of a reference that is resolved again while it is followed, and of the anchor that it names.
    struct DynamicReference {
        var target: Int
        /// Nil for a reference that behaves like any other.
        var anchor: String?
    }

    /// The value of a schema that is true or false; nil for an object.
    var constant: Bool?
    /// The schema resource that the schema is in: one with an identifier of its own.
    var resource = 0

    var reference: Int?
    var dynamicReference: DynamicReference?
    var (allOf, anyOf, oneOf): ([Int], [Int], [Int]) = ([], [], [])
    var (not, condition, then, otherwise): (Int?, Int?, Int?, Int?)

    var types: [String]?
    var values: [JSONValue]?
    var isConstant = false

    /// Comparisons and lengths by keyword, in the order of the schema.
    var bounds: [(keyword: String, value: JSONValue)] = []
    var pattern: (text: String, machine: TextPattern)?
    var hasUniqueItems = false

    var prefixItems: [Int] = []
    var items: Int?
    var contains: Int?
    var (minimumContains, maximumContains): (Int, Int?) = (1, nil)
    var unevaluatedItems: Int?

    var properties: [String: Int] = [:]
    var patternProperties: [(machine: TextPattern, schema: Int)] = []
    var additionalProperties: Int?
    var propertyNames: Int?
    var required: [String] = []
    var dependentRequired: [(key: String, required: [String])] = []
    var dependentSchemas: [(key: String, schema: Int)] = []
    var unevaluatedProperties: Int?
}
