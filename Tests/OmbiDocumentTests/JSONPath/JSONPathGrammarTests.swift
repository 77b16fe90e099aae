import Testing

@testable import OmbiDocument

/// The productions of RFC 9535, appendix A, one after another.
@Test(arguments: [
    Production(
        "jsonpath-query = root-identifier segments", ["$", "$.a", "$[0]"], not: ["", "a", ".a", "@", "@.a", "$$"]),
    Production(
        "segments = *(S segment)", ["$.a.b", "$ .a", "$\n[0]\t..b", "$.a [0]"],
        not: ["$ ", "$.a ", " $", "$a", "$.a,b"]),
    Production(
        "B = SP / HTAB / LF / CR", ["$ [0]", "$\t[0]", "$\n[0]", "$\r[0]"],
        not: ["$\u{0B}[0]", "$\u{A0}[0]", "$\u{2028}[0]"]),
    Production("root-identifier = $", ["$"], not: ["\u{FF04}", "\u{20AC}", "root"]),
    Production(
        "selector", ["$['a']", "$[*]", "$[:]", "$[0]", "$[?@]"], not: ["$[]", "$[a]", "$[@]", "$[$]", "$[.a]", "$[..]"]),
    Production(
        "name-selector = string-literal", ["$[\"a\"]", "$['a']", "$['']"],
        not: ["$[a]", "$[`a`]", "$['a'b]", "$[null]"]),
    Production(
        "string-literal", ["$[\"\"]", "$['']", "$[\"a b\"]"],
        not: ["$[\"a']", "$['a\"]", "$[\"]", "$[']", "$['a''b']", "$[\"a\"\"b\"]"]),
    Production(
        "double-quoted", ["$[\"'\"]", "$[\"\\\"\"]", "$[\"\\n\"]"], not: ["$[\"\"\"]", "$[\"\\'\"]", "$[\"\\\"]"]),
    Production("single-quoted", ["$['\"']", "$['\\'']", "$['\\n']"], not: ["$[''']", "$['\\\"']", "$['\\']"]),
    Production("ESC = \\", ["$['\\\\']"], not: ["$['/\\']", "$['\u{FF3C}\\']"]),
    Production(
        "unescaped", ["$[' !#&']", "$['([']", "$[']~']", "$['\u{7F}\u{80}\u{D7FF}']", "$['\u{E000}\u{10FFFF}']"],
        not: ["$['\u{0}']", "$['\u{1F}']", "$['\n']", "$[\"\t\"]"]),
    Production(
        "escapable", ["$['\\b\\f\\n\\r\\t']", "$['\\/\\\\']", "$['\\u0020']"],
        not: ["$['\\a']", "$['\\v']", "$['\\0']", "$['\\x41']", "$['\\B']", "$['\\ ']", "$['\\U0020']"]),
    Production(
        "hexchar", ["$['\\u0041']", "$['\\uD83D\\uDE00']"],
        not: ["$['\\u']", "$['\\u041']", "$['\\uD83D']", "$['\\uD83D\\n']", "$['\\uD83DDE00']", "$['\\uDE00\\uD83D']"]),
    Production(
        "non-surrogate", ["$['\\u0000']", "$['\\uCFFF']", "$['\\uD7FF']", "$['\\uE000']", "$['\\uffff']"],
        not: ["$['\\uD800']", "$['\\uDFFF']", "$['\\uG000']", "$['\\u000G']"]),
    Production(
        "high-surrogate", ["$['\\uD800\\uDC00']", "$['\\udbff\\udc00']"],
        not: ["$['\\uDC00\\uDC00']", "$['\\uD800\\uD800']", "$['\\uD7FF\\uDC00']"]),
    Production(
        "low-surrogate", ["$['\\uD800\\uDFFF']", "$['\\uD800\\udc00']"],
        not: ["$['\\uD800\\uE000']", "$['\\uD800\\uDBFF']", "$['\\uD800 \\uDC00']", "$['\\uD800\\UDC00']"]),
    Production("wildcard-selector = *", ["$[*]", "$[*,*]", "$.*"], not: ["$[**]", "$[*0]", "$*", "$.**"]),
    Production(
        "index-selector = int", ["$[0]", "$[-1]", "$[10]"], not: ["$[+1]", "$[1.0]", "$[1e1]", "$[0x1]", "$[- 1]"]),
    Production(
        "int = 0 / ([-] DIGIT1 *DIGIT)", ["$[0]", "$[9]", "$[-90]"], not: ["$[00]", "$[01]", "$[-0]", "$[-01]", "$[-]"]),
    Production("DIGIT1", ["$[1]", "$[9]"], not: ["$[\u{661}]", "$[\u{FF11}]"]),
    Production(
        "slice-selector = [start S] : S [end S] [: [S step]]",
        [
            "$[:]", "$[1:]", "$[:1]", "$[1:2]", "$[::]", "$[1::]", "$[:1:]", "$[::1]", "$[1:2:3]", "$[1 : 2 : 3]",
            "$[ :1\n:]",
        ],
        not: ["$[:::]", "$[1:2:3:4]", "$[a:]", "$[:'1']", "$[1:+2]", "$[1;2]", "$[1:2:03]"]),
    Production(
        "start, end, step = int", ["$[-1:-2:-3]", "$[0:0:0]"],
        not: ["$[-0:]", "$[:-0]", "$[::-0]", "$[01:]", "$[1.0:]"]),
    Production(
        "filter-selector = ? S logical-expr", ["$[?@]", "$[? @]", "$[?\n@.a]", "$[?@,?@]"],
        not: ["$[?]", "$[??@]", "$[?(]", "$?@", "$.?@"]),
    Production(
        "logical-or-expr", ["$[?@||@]", "$[?@ || @ || @]"],
        not: ["$[?@|@]", "$[?@||]", "$[?||@]", "$[?@ or @]", "$[?@| |@]"]),
    Production(
        "logical-and-expr", ["$[?@&&@]", "$[?@ && @||@]"],
        not: ["$[?@&@]", "$[?@&&]", "$[?&&@]", "$[?@ and @]", "$[?@& &@]"]),
    Production(
        "basic-expr", ["$[?(@)]", "$[?@==1]", "$[?@]", "$[?count(@)==1]"],
        not: ["$[?1]", "$[?'a']", "$[?true]", "$[?null]", "$[?()]"]),
    Production(
        "paren-expr = [! S] ( S logical-expr S )", ["$[?(@)]", "$[?!(@)]", "$[?! ( @ )]", "$[?((@))]"],
        not: ["$[?(@]", "$[?@)]", "$[?()]", "$[?!!(@)]", "$[?[@]]"]),
    Production(
        "logical-not-op = !", ["$[?!@]", "$[?!@.a&&!@.b]"],
        not: ["$[?!]", "$[?@!]", "$[?!@==1]", "$[?not @]", "$[?!1]"]),
    Production(
        "test-expr = [! S] (filter-query / function-expr)",
        ["$[?@.a]", "$[?! @.a]", "$[?match(@,'a')]", "$[?!search(@,'a')]"],
        not: ["$[?length(@)]", "$[?value(@)]", "$[?!count(@)]"]),
    Production(
        "filter-query = rel-query / jsonpath-query", ["$[?@]", "$[?$]", "$[?@..*]", "$[?$[*]]"],
        not: ["$[?a]", "$[?.a]", "$[?*]", "$[?@@]"]),
    Production(
        "rel-query = current-node-identifier segments", ["$[?@[0]]", "$[?@ .a]"],
        not: ["$[?@a]", "$[?@.]", "$@", "$[@]"]),
    Production(
        "comparison-expr", ["$[?@==1]", "$[?1==@]", "$[?1 == 1]", "$[?@\n==\n@]"],
        not: ["$[?@==]", "$[?==1]", "$[?@==1==1]", "$[?(@)==1]", "$[?@==(1)]"]),
    Production(
        "literal = number / string-literal / true / false / null",
        ["$[?@==1]", "$[?@=='a']", "$[?@==\"a\"]", "$[?@==true]", "$[?@==false]", "$[?@==null]"],
        not: ["$[?@==True]", "$[?@==NULL]", "$[?@==undefined]", "$[?@==[]]", "$[?@=={}]", "$[?@==a]", "$[?@==/a/]"]),
    Production(
        "comparable", ["$[?@.a==$.b]", "$[?length(@)==1]", "$[?'a'==@]"],
        not: ["$[?@.*==1]", "$[?@..a==1]", "$[?match(@,'a')==1]"]),
    Production(
        "comparison-op", ["$[?@==1]", "$[?@!=1]", "$[?@<=1]", "$[?@>=1]", "$[?@<1]", "$[?@>1]"],
        not: ["$[?@=1]", "$[?@===1]", "$[?@<>1]", "$[?@=<1]", "$[?@=>1]", "$[?@ in 1]", "$[?@=~1]", "$[?@! =1]"]),
    Production(
        "singular-query", ["$[?@==1]", "$[?$==1]", "$[?@.a['b'][0]==1]", "$[?@ .a ['b'] [0]==1]"],
        not: ["$[?@[*]==1]", "$[?@[0,1]==1]", "$[?@[:]==1]", "$[?@[?@]==1]"]),
    Production(
        "name-segment", ["$[?@.a==1]", "$[?@['a']==1]", "$[?@[\"a\"]==1]"],
        not: ["$[?@['a','b']==1]", "$[?@[ 'a']==1]", "$[?@['a' ]==1]"]),
    Production(
        "index-segment", ["$[?@[0]==1]", "$[?@[-1]==1]"],
        not: ["$[?@[0,1]==1]", "$[?@[ 0]==1]", "$[?@[0 ]==1]", "$[?@[0:1]==1]"]),
    Production(
        "number = (int / -0) [frac] [exp]", ["$[?@==0]", "$[?@==-0]", "$[?@==-0.5]", "$[?@==10.50e3]"],
        not: ["$[?@==+1]", "$[?@==00]", "$[?@==01]", "$[?@==-01]", "$[?@==.5]", "$[?@==-]", "$[?@==0x1]"]),
    Production("frac = . 1*DIGIT", ["$[?@==1.0]", "$[?@==1.012]"], not: ["$[?@==1.]", "$[?@==1..0]", "$[?@==1.a]"]),
    Production(
        "exp = e [- / +] 1*DIGIT", ["$[?@==1e1]", "$[?@==1E1]", "$[?@==1e+01]", "$[?@==1e-1]"],
        not: ["$[?@==1e]", "$[?@==1e+]", "$[?@==1e 1]", "$[?@==1e1.0]"]),
    Production(
        "function-name", ["$[?length(@)==1]"],
        not: ["$[?Length(@)==1]", "$[?_length(@)==1]", "$[?1length(@)==1]", "$[?length-x(@)==1]", "$[?size(@)==1]"]),
    Production(
        "function-expr = function-name ( S [argument *(S , S argument)] S )",
        ["$[?count( @ )==1]", "$[?match(@ ,\n'a')]"],
        not: [
            "$[?count (@)==1]", "$[?count()==1]", "$[?count(@,@)==1]", "$[?match(@)]", "$[?match(@,)]", "$[?match(,@)]",
            "$[?match(@ 'a')]", "$[?count(@]",
        ]),
    Production(
        "function-argument",
        ["$[?length('a')==1]", "$[?length(@.a)==1]", "$[?length(value(@.*))==1]", "$[?match('a',@.b)]"],
        not: [
            "$[?count('a')==1]", "$[?length(@.*)==1]", "$[?length(@==1)==1]", "$[?count(count(@))==1]",
            "$[?value(1)==1]",
        ]),
    Production("child-segment", ["$['a']", "$.*", "$.a"], not: ["$.['a']", "$.'a'", "$.0", "$. a", "$.[0]"]),
    Production(
        "bracketed-selection = [ S selector *(S , S selector) S ]", ["$[0,1]", "$[ 0 , 'a' , * ]", "$[\n0\n]"],
        not: ["$[0,]", "$[,0]", "$[0 1]", "$[0", "$0]", "$[[0]]", "$[0]]"]),
    Production(
        "member-name-shorthand", ["$.a", "$.a1", "$.A_b", "$.\u{E9}\u{6771}"],
        not: ["$.1a", "$.a-b", "$.a b", "$.-", "$.\"a\""]),
    Production(
        "name-first", ["$.a", "$.Z", "$._", "$.\u{80}", "$.\u{D7FF}", "$.\u{E000}", "$.\u{10FFFF}"],
        not: ["$.0", "$.$", "$.@", "$.\u{7F}", "$.-a"]),
    Production("name-char = name-first / DIGIT", ["$.a0", "$._9\u{E9}"], not: ["$.a$", "$.a@", "$.a\u{7F}", "$.a'"]),
    Production(
        "descendant-segment", ["$..a", "$..*", "$..[0]", "$..['a',*]"],
        not: ["$..", "$...a", "$.. a", "$..0", "$..'a'", "$. .a", "$...*"]),
])
func `each production of RFC 9535 is read, and nothing beside it`(production: Production) {
    production.check { text in (try? JSONPath(text)) != nil }
}

/// The productions of normalized paths (RFC 9535, section 2.7).
@Test func `every name has one normalized path, which leads back to it`() throws {
    for value in [UInt32(0)...0x17F, 0x2028...0x2029, 0xD7FE...0xD7FF, 0xE000...0xE001, 0x10FFFE...0x10FFFF].joined() {
        let scalar = try #require(Unicode.Scalar(value))
        let digits = String(value, radix: 16)
        let expected: String =
            switch scalar {
            case "\u{8}": "\\b"
            case "\u{C}": "\\f"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case "'": "\\'"
            case "\\": "\\\\"
            default: value < 0x20 ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits : String(scalar)
            }
        let isEscaped = value < 0x20 || scalar == "\"" || scalar == "\\"
        let key = isEscaped ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits : String(scalar)
        let document = JSONDocument("{\"\(key)\": 1}")
        let node = try #require(document.node(0))
        #expect(document.path(of: node).unicodeScalars.elementsEqual("$['\(expected)']".unicodeScalars), "U+\(digits)")
        #expect(Array(try JSONPath("$['\(expected)']").matches(in: document)) == [node], "U+\(digits)")
    }
}
