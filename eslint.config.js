import tseslint from 'typescript-eslint'

const ambient = [
  { object: 'Math', property: 'random', message: 'Randomness comes in as an argument: see src/core/random.ts.' },
  { object: 'Date', property: 'now', message: 'No clock here: time comes in as an argument.' },
]

export default tseslint.config(
  { ignores: ['dist/**', 'runs/**', 'coverage/**', 'docs-site/**', 'test/fixtures/**'] },
  ...tseslint.configs.strict,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-control-regex': 'off',
      'no-restricted-properties': ['error', ambient[0]],
    },
  },
  {
    files: [
      'src/core/**',
      'src/play/**',
      'src/environments/**',
      'src/results/**',
      'src/statistics/**',
      'perturbations/**',
      'baselines/**',
      'reports/**',
    ],
    rules: { 'no-restricted-properties': ['error', ...ambient] },
  },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
)
