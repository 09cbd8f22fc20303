#include "script/template.h"

#include <gmock/gmock.h>

namespace willitrun {
namespace {

using testing::HasSubstr;

const TemplateValues kValues = {.conditions = {{"yes", true}, {"no", false}},
                                .texts = {{"name", "value"}, {"sly", "@name@"}}};

std::string filled(std::string_view text) { return fill_template(text, kValues).value(); }

TEST(Template, PutsTextsInPlace) { EXPECT_EQ(filled("a @name@, b @name@@name@\n"), "a value, b valuevalue\n"); }

TEST(Template, LeavesOtherAtSignsAlone) {
  EXPECT_EQ(filled("@decorator\nx @ y\nme@example.org @Name@ @\n"), "@decorator\nx @ y\nme@example.org @Name@ @\n");
}

TEST(Template, DoesNotReadATextAgain) { EXPECT_EQ(filled("@sly@\n"), "@name@\n"); }

TEST(Template, KeepsTheLinesWhoseConditionHolds) {
  EXPECT_EQ(filled("1\n@if yes@\n2\n@end@\n@if no@\n3\n@end@\n4\n"), "1\n2\n4\n");
  EXPECT_EQ(filled("@if no@\n1\n@else@\n2\n@end@\n"), "2\n");
  EXPECT_EQ(filled("@if yes@\n1\n@else@\n2\n@end@\n"), "1\n");
}

TEST(Template, NestsBlocks) {
  EXPECT_EQ(filled("@if yes@\n@if no@\n1\n@else@\n2\n@end@\n3\n@end@\n"), "2\n3\n");
  EXPECT_EQ(filled("@if no@\n@if yes@\n1\n@else@\n2\n@end@\n3\n@end@\n4\n"), "4\n");
}

TEST(Template, RefusesWhatItsUserDoesNotKnow) {
  EXPECT_THAT(fill_template("@if maybe@\n@end@\n", kValues).error().message, HasSubstr("'maybe'"));
  EXPECT_THAT(fill_template("@other@\n", kValues).error().message, HasSubstr("'other'"));
}

TEST(Template, RefusesBlocksThatDoNotMatch) {
  for (const std::string_view text :
       {"@if yes@\n", "@end@\n", "@else@\n", "@if yes@\n@else@\n@else@\n@end@\n", "@if no@\n1\n@end@\n@end@\n"})
    EXPECT_EQ(fill_template(text, kValues).error().code, Code::Internal) << text;
}

}  // namespace
}  // namespace willitrun
